package dev.fencedoutbox.it.bench;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws charts as SVG elements that stand in a page. */
final class Charts {

  private static final int WIDTH = 720;
  private static final int HEIGHT = 300;
  private static final double BAR_WIDTH = 0.6;
  private static final Color[] COLOURS = {
    new Color(0x8da0b3), new Color(0x1f6feb), new Color(0xd29922), new Color(0x57606a)
  };

  private Charts() {}

  static String svg(Chart chart) throws IOException {
    CategoryChart drawn =
        new CategoryChartBuilder().width(WIDTH).height(HEIGHT).yAxisTitle(chart.yTitle()).build();
    CategoryStyler styler = drawn.getStyler();
    styler.setAvailableSpaceFill(BAR_WIDTH);
    styler.setYAxisDecimalPattern("#,##0.##");
    styler.setLegendPosition(LegendPosition.OutsideE);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setSeriesColors(COLOURS);
    chart.values().forEach((name, values) -> drawn.addSeries(name, chart.categories(), values));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(drawn, bytes, VectorGraphicsFormat.SVG);
    String document = bytes.toString(StandardCharsets.UTF_8);
    return document.substring(document.indexOf("<svg"));
  }
}
