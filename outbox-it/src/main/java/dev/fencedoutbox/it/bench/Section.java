package dev.fencedoutbox.it.bench;

import java.util.List;
import java.util.Map;

/**
 * What one scenario found.
 *
 * @param how in words what was measured
 * @param targets those that it decides
 * @param line figures for the last line, by their names there
 */
record Section(
    String title,
    String how,
    Table table,
    Chart chart,
    List<Target> targets,
    Map<String, String> line) {}
