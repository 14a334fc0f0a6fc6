package dev.fencedoutbox.it.bench;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.Color;
import java.awt.Rectangle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jfree.chart.ChartFactory;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.StandardChartTheme;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.CategoryLabelPositions;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;

/** Draws charts as SVG elements that stand in a page. */
final class Charts {

  private static final Rectangle SIZE = new Rectangle(720, 300);
  private static final double WIDEST_BAR = 0.08;
  private static final List<Color> COLOURS =
      List.of(new Color(0x8da0b3), new Color(0x1f6feb), new Color(0xd29922), new Color(0x57606a));

  private Charts() {}

  static String svg(Chart chart) throws IOException {
    DefaultCategoryDataset values = new DefaultCategoryDataset();
    chart
        .values()
        .forEach(
            (series, numbers) -> {
              for (int i = 0; i < numbers.size(); i++) {
                values.addValue(numbers.get(i), series, chart.categories().get(i));
              }
            });
    JFreeChart drawn =
        ChartFactory.createBarChart(
            null,
            null,
            chart.yTitle(),
            values,
            PlotOrientation.VERTICAL,
            chart.values().size() > 1,
            false,
            false);
    StandardChartTheme.createLegacyTheme().apply(drawn);
    plain(drawn.getCategoryPlot());
    drawn.setBackgroundPaint(Color.WHITE);
    return svg(drawn);
  }

  private static void plain(CategoryPlot plot) {
    plot.setBackgroundPaint(Color.WHITE);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    plot.setOutlineVisible(false);
    CategoryAxis categories = plot.getDomainAxis();
    categories.setCategoryLabelPositions(CategoryLabelPositions.STANDARD);
    BarRenderer bars = (BarRenderer) plot.getRenderer();
    bars.setBarPainter(new StandardBarPainter());
    bars.setShadowVisible(false);
    bars.setMaximumBarWidth(WIDEST_BAR);
    for (int i = 0; i < COLOURS.size(); i++) {
      bars.setSeriesPaint(i, COLOURS.get(i));
    }
  }

  private static String svg(JFreeChart drawn) throws IOException {
    VectorGraphics2D graphics = new VectorGraphics2D();
    drawn.draw(graphics, SIZE);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Processors.get("svg").getDocument(graphics.getCommands(), new PageSize(SIZE)).writeTo(bytes);
    String document = bytes.toString(StandardCharsets.UTF_8);
    return document.substring(document.indexOf("<svg"));
  }
}
