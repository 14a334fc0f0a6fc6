package dev.fencedoutbox.it.soak;

import dev.fencedoutbox.outbox.Channel;
import dev.fencedoutbox.outbox.Topic;
import org.jooq.Converter;
import org.jooq.JSONB;

/** What is sent, and where. */
final class SoakTopic {

  static final Channel CHANNEL = Channel.of("soak");

  static final Topic<JSONB> TOPIC =
      Topic.json("soak.said", Converter.of(JSONB.class, JSONB.class, json -> json, json -> json));

  private SoakTopic() {}
}
