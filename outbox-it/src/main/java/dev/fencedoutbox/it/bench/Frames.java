package dev.fencedoutbox.it.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** The samples of a recording, by the kind of a relay's thread. */
final class Frames {

  static final String RUNNING = "jdk.ExecutionSample";
  static final String WAITING = "jdk.NativeMethodSample";

  private static final List<String> THREADS =
      List.of("claims", "claims beside", "records", "renews", "watches");
  private static final List<String> TOLD =
      List.of("dev.fencedoutbox.", "org.jooq.", "org.postgresql.", "com.zaxxer.");
  private static final int SHOWN = 25;
  private static final double ALWAYS = 0.9;

  private static final class Samples {
    private int all;
    private final Map<String, Integer> byMethod = new TreeMap<>();
  }

  private final Map<String, Samples> byThread = new TreeMap<>();

  private Frames() {}

  static Frames of(Path recording) throws IOException {
    Frames frames = new Frames();
    RecordingFile.readAllEvents(recording).forEach(frames::add);
    return frames;
  }

  private void add(RecordedEvent event) {
    boolean running = event.getEventType().getName().equals(RUNNING);
    if (!running && !event.getEventType().getName().equals(WAITING)) {
      return;
    }
    RecordedThread thread = event.getThread("sampledThread");
    RecordedStackTrace stack = event.getStackTrace();
    String name = thread == null ? null : thread.getJavaName();
    if (name == null || stack == null || !name.startsWith("relay-")) {
      return;
    }
    String kind = THREADS.stream().filter(name::endsWith).findFirst().orElse("handlers");
    Samples samples =
        byThread.computeIfAbsent(
            kind + (running ? ", in Java" : ", waiting"), first -> new Samples());
    samples.all++;
    Set<String> methods = new HashSet<>();
    stack
        .getFrames()
        .forEach(
            frame ->
                methods.add(
                    frame.getMethod().getType().getName() + "." + frame.getMethod().getName()));
    methods.forEach(method -> samples.byMethod.merge(method, 1, Integer::sum));
  }

  List<String> threads() {
    return List.copyOf(byThread.keySet());
  }

  /** How many of each of {@link #threads()}. */
  List<Double> samples() {
    return byThread.values().stream().map(samples -> (double) samples.all).toList();
  }

  /** The methods that tell where each thread's time goes. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    byThread.forEach(
        (thread, samples) -> {
          rows.add(List.of(thread, samples.all + " samples"));
          top(samples).forEach(rows::add);
        });
    return rows;
  }

  private static Stream<List<String>> top(Samples samples) {
    return samples.byMethod.entrySet().stream()
        .filter(method -> TOLD.stream().anyMatch(method.getKey()::startsWith))
        .filter(method -> !method.getKey().contains("$$Lambda"))
        .filter(method -> method.getValue() < ALWAYS * samples.all)
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(SHOWN)
        .map(
            method ->
                List.of(
                    "    " + method.getKey(),
                    Results.cell(100.0 * method.getValue() / samples.all, 0) + " %"));
  }
}
