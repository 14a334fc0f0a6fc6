package dev.fencedoutbox.it.kafka;

import org.apache.kafka.clients.producer.ProducerRecord;

/** What a {@link ScriptedProducer} does with a record. */
@FunctionalInterface
interface Script {

  /** Nothing, until the test has it acknowledged. */
  Script SILENT = (producer, record) -> {};

  Script ACKNOWLEDGING = (producer, record) -> producer.answer(record, null);

  /** Acknowledges all but one. */
  static Script failing(String eventId, RuntimeException failure) {
    return (producer, record) ->
        producer.answer(record, ScriptedProducer.eventId(record).equals(eventId) ? failure : null);
  }

  void play(ScriptedProducer producer, ProducerRecord<byte[], byte[]> record);
}
