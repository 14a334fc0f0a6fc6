package dev.fencedoutbox.it.bench;

import java.util.List;
import java.util.Map;

/**
 * Bars: a group for each category, in it one bar for each series.
 *
 * @param values of each series, as many as there are categories
 */
record Chart(String yTitle, List<String> categories, Map<String, List<Double>> values) {}
