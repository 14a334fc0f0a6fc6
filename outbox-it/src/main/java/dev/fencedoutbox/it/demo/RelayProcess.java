package dev.fencedoutbox.it.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The handle on a relay in a process of its own, with what production does to processes. */
final class RelayProcess implements AutoCloseable {

  private final String name;
  private final Process process;
  private volatile boolean ready;
  private volatile RelayTally tally = RelayTally.NOTHING;

  private RelayProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    // A frozen process would not notice that this JVM is gone
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end of " + name));
    Thread reader = new Thread(this::read, "output of " + name);
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts one of this JVM's class path; it works once it is told to {@link #go}. */
  static RelayProcess start(String name, String databaseUrl, URI endpoint) {
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx128m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Dorg.jooq.no-logo=true",
                    "-Dorg.jooq.no-tips=true",
                    "-cp",
                    System.getProperty("java.class.path"),
                    RelayMain.class.getName(),
                    name,
                    endpoint.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put(RelayMain.DATABASE, databaseUrl);
    try {
      return new RelayProcess(name, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("The process of " + name + " did not start", e);
    }
  }

  private void read() {
    try (BufferedReader reader = process.inputReader(UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.equals(RelayMain.READY)) {
          ready = true;
        }
        RelayTally.parse(line).ifPresent(latest -> tally = latest);
      }
    } catch (IOException e) {
      System.err.println("The output of " + name + " broke off: " + e);
    }
  }

  String name() {
    return name;
  }

  /** Whether it is connected to the database. */
  boolean isReady() {
    if (!ready && !process.isAlive()) {
      throw new IllegalStateException(
          "%s ended with exit status %d before it was ready.".formatted(name, process.exitValue()));
    }
    return ready;
  }

  /** What it has printed last; a process that was killed prints no more. */
  RelayTally tally() {
    return tally;
  }

  void go() {
    say("go");
  }

  /** Tells it to end after the batch in hand, and waits; the exit status. */
  int stop() {
    say("stop");
    return exitStatus();
  }

  private void say(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be told to " + line, e);
    }
  }

  /** SIGKILL; the exit status. */
  int kill() {
    signal("KILL"); // Process.destroyForcibly would also close the output that is still to be read
    return exitStatus();
  }

  /** SIGSTOP: the whole process stands still. */
  void freeze() {
    signal("STOP");
  }

  /** SIGCONT. */
  void thaw() {
    signal("CONT");
  }

  private void signal(String signal) {
    try {
      // The shell's own kill: not every system has a program of that name
      int status =
          new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid())
              .inheritIO()
              .start()
              .waitFor();
      if (status != 0) {
        throw new IllegalStateException(
            "kill -%s of %s returned %d.".formatted(signal, name, status));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("No shell to send SIG" + signal + " with", e);
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
  }

  private int exitStatus() {
    try {
      if (!process.waitFor(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new Stalled(name + " did not end");
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
  }

  /** Kills it if it still runs, frozen or not. */
  @Override
  public void close() {
    process.toHandle().destroyForcibly();
  }
}
