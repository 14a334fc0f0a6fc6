package dev.fencedoutbox.it.demo;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The ways from the relays to billing. */
enum Way {
  /** Relays post, and billing answers. */
  HTTP {
    @Override
    Receiver receiver(Billing billing) throws IOException {
      return HttpReceiver.start(billing);
    }

    @Override
    Sender sender(URI endpoint) {
      return new HttpSender(endpoint);
    }
  },

  /** Relays publish to a topic, which billing reads. */
  KAFKA {
    @Override
    Receiver receiver(Billing billing) {
      return KafkaReceiver.start(billing);
    }

    @Override
    Sender sender(URI endpoint) {
      return new KafkaSender(endpoint.getAuthority());
    }
  };

  /** Starts billing's end. */
  abstract Receiver receiver(Billing billing) throws IOException;

  /** A relay's end. */
  abstract Sender sender(URI endpoint);

  /** Its name on the command line, and the scheme of its endpoints. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The one of that name.
   *
   * @throws UnusableInput if there is none
   */
  static Way named(String word) {
    return Arrays.stream(values())
        .filter(way -> way.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new UnusableInput(
                    "There is no way to billing named \"%s\". Nothing was started. Take one of %s."
                        .formatted(word, all())));
  }

  private static String all() {
    return Arrays.stream(values())
        .map(way -> "-Dto=" + way.word())
        .collect(Collectors.joining(", "));
  }
}
