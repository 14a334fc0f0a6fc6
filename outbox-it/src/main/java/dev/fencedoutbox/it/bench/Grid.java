package dev.fencedoutbox.it.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rates by category and series, as a table and as a chart. A race is named after both.
 *
 * @param what the heading of the categories
 */
record Grid(String what, List<String> categories, List<String> series, Results results) {

  /** The name of a race. */
  static String name(String series, String category) {
    return series + " " + category;
  }

  double rate(String ofSeries, String category) {
    return results.rate(name(ofSeries, category));
  }

  /** The rates, and the last series as a part of the first. */
  Table againstFirstSeries() {
    return table(
        series.get(series.size() - 1) + " / " + series.get(0),
        category -> rate(series.get(series.size() - 1), category) / rate(series.get(0), category));
  }

  /** The rates, and the first series as a part of itself in the first category. */
  Table againstFirstCategory() {
    return table(
        series.get(0) + " / " + categories.get(0),
        category -> rate(series.get(0), category) / rate(series.get(0), categories.get(0)));
  }

  private interface Ratio {
    double of(String category);
  }

  private Table table(String head, Ratio ratio) {
    List<String> heads = new ArrayList<>(List.of(what));
    series.forEach(each -> heads.add(each + ", messages/s (lowest-highest)"));
    heads.add(head);
    List<List<String>> rows = new ArrayList<>();
    for (String category : categories) {
      List<String> row = new ArrayList<>(List.of(category));
      series.forEach(each -> row.add(results.rateCell(name(each, category))));
      row.add(Results.cell(ratio.of(category), 2));
      rows.add(row);
    }
    return new Table(heads, rows);
  }

  Chart chart() {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    for (String each : series) {
      values.put(each, categories.stream().map(category -> rate(each, category)).toList());
    }
    return new Chart("messages/s", categories, values);
  }
}
