package dev.fencedoutbox.it.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Another process of the same class path, which can be killed, frozen and thawed like a worker in
 * production. It speaks by lines on its standard output and hears lines on its standard input.
 */
public final class ChildJvm implements AutoCloseable {

  /** What a process returns that died of SIGKILL. */
  public static final int KILLED = 128 + 9;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String END = "\u0000end";

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final List<String> heard = new ArrayList<>();

  private ChildJvm(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of process " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts {@code main} with these arguments. */
  public static ChildJvm start(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-Dorg.jooq.no-logo=true", "-Dorg.jooq.no-tips=true"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    try {
      return new ChildJvm(new ProcessBuilder(command).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("(output broke off: " + e + ")");
    }
    lines.add(END);
  }

  /** Waits for the next line that starts with {@code prefix}, and returns the rest of it. */
  public String await(String prefix) {
    return awaitLine(line -> line.startsWith(prefix), "a line that starts with " + prefix)
        .substring(prefix.length());
  }

  private String awaitLine(Predicate<String> wanted, String what) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      String line = poll(deadline - System.nanoTime());
      if (line == null || line.equals(END)) {
        throw new AssertionError(
            "Process %d did not print %s within %s. It printed:%n%s"
                .formatted(process.pid(), what, PATIENCE, String.join("\n", heard)));
      }
      heard.add(line);
      if (wanted.test(line)) {
        return line;
      }
    }
  }

  private @Nullable String poll(long nanos) {
    try {
      return lines.poll(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Sends a line to its standard input. */
  public void say(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL: no shutdown hook, no finally; returns the exit status. */
  public int kill() {
    process.destroyForcibly();
    return exitStatus();
  }

  /** SIGSTOP: the whole process stands still. */
  public void freeze() {
    signal("STOP");
  }

  /** SIGCONT. */
  public void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int status =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
              .inheritIO()
              .start()
              .waitFor();
      if (status != 0) {
        throw new IllegalStateException("kill -" + name + " returned " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Waits for its end. */
  public int exitStatus() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("Process " + process.pid() + " did not end within " + PATIENCE);
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Kills it if it still runs, frozen or not. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
