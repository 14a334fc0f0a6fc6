package dev.fencedoutbox.it.bench;

import java.util.ArrayList;
import java.util.List;

/** Cells under heads; the first column names its row. */
record Table(List<String> heads, List<List<String>> rows) {

  /** As text, the first column to the left and the others to the right. */
  String text() {
    List<List<String>> lines = new ArrayList<>();
    lines.add(heads);
    lines.addAll(rows);
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      text.append("  ").append(pad(line.get(0), -width(lines, 0)));
      for (int i = 1; i < line.size(); i++) {
        text.append("  ").append(pad(line.get(i), width(lines, i)));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static int width(List<List<String>> lines, int column) {
    return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
  }

  /** To the left if the width is negative. */
  private static String pad(String cell, int width) {
    return String.format("%" + width + "s", cell);
  }

  /** The targets of all sections. */
  static Table of(List<Target> targets) {
    return new Table(
        List.of("figure", "measured", "to reach", ""),
        targets.stream()
            .map(each -> List.of(each.what(), each.shown(), each.aim(), each.verdict()))
            .toList());
  }
}
