package dev.fencedoutbox.it.bench;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * All that was found.
 *
 * @param how in words how it was measured
 */
record Report(String how, List<String> machine, List<Section> sections) {

  /** What the last line says, in this order. */
  private static final List<String> LINE =
      List.of(
          "relay/limit",
          "relay/textbook",
          "pinned/unpinned",
          "wal_bytes",
          "enqueue/insert",
          "p50_ms",
          "p99_ms");

  private static final String NOT_MEASURED = "-";

  List<Target> targets() {
    return sections.stream().flatMap(section -> section.targets().stream()).toList();
  }

  /** The last line of a benchmark. */
  String line() {
    Map<String, String> figures = new HashMap<>();
    sections.forEach(section -> figures.putAll(section.line()));
    return "bench: "
        + LINE.stream()
            .map(name -> name + "=" + figures.getOrDefault(name, NOT_MEASURED))
            .collect(Collectors.joining(" "));
  }

  void print(PrintStream out) {
    for (Section section : sections) {
      out.printf("%n%s%n", section.title());
      out.print(section.table().text());
    }
    if (!targets().isEmpty()) {
      out.println();
      out.print(Table.of(targets()).text());
    }
  }
}
