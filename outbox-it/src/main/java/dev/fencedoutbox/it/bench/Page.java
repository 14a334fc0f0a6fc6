package dev.fencedoutbox.it.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The report as one HTML file that needs no other. */
final class Page {

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Fenced Outbox: benchmark</title>
      <style>
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328; }
      table { border-collapse: collapse; margin: 1rem 0; }
      th, td { padding: .25rem .75rem; border-bottom: 1px solid #d0d7de; text-align: right; font-variant-numeric: tabular-nums; }
      th:first-child, td:first-child { text-align: left; }
      td.met { color: #1a7f37; } td.short { color: #b35900; font-weight: bold; }
      svg { max-width: 100%; height: auto; }
      code { background: #f6f8fa; padding: 0 .25rem; }
      </style>
      </head>
      <body>
      """;

  private final StringBuilder html = new StringBuilder(HEAD);

  private Page() {}

  static void write(Path file, Report report) throws IOException {
    Page page = new Page();
    page.element("h1", "Fenced Outbox: benchmark");
    page.element("p", report.how());
    page.list(report.machine());
    page.element("h2", "What is to be reached");
    page.table(Table.of(report.targets()));
    for (Section section : report.sections()) {
      page.element("h2", section.title());
      page.element("p", section.how());
      page.table(section.table());
      page.html.append(Charts.svg(section.chart())).append('\n');
    }
    page.html.append("<p><code>").append(escaped(report.line())).append("</code></p>\n");
    page.html.append("</body>\n</html>\n");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, page.html, StandardCharsets.UTF_8);
  }

  private void list(List<String> lines) {
    html.append("<ul>\n");
    lines.forEach(line -> element("li", line));
    html.append("</ul>\n");
  }

  private void table(Table table) {
    html.append("<table>\n<tr>");
    table.heads().forEach(head -> element("th", head));
    html.append("</tr>\n");
    for (List<String> row : table.rows()) {
      html.append("<tr>");
      row.forEach(this::cell);
      html.append("</tr>\n");
    }
    html.append("</table>\n");
  }

  private void cell(String text) {
    if (text.equals(Target.MET) || text.equals(Target.SHORT)) {
      html.append("<td class=\"").append(text).append("\">").append(text).append("</td>");
    } else {
      element("td", text);
    }
  }

  private void element(String name, String text) {
    html.append('<').append(name).append('>');
    html.append(escaped(text)).append("</").append(name).append(">\n");
  }

  static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
