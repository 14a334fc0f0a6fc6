package dev.fencedoutbox.it.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A JVM of this one's class path, with what production does to processes. It hears lines on its
 * standard input and speaks by lines on its standard output. Thread-safe.
 */
public final class JvmProcess implements AutoCloseable {

  private static final List<String> ALWAYS =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-Dorg.jooq.no-logo=true",
          "-Dorg.jooq.no-tips=true");

  private final String name;
  private final Process process;
  private final Thread reader;

  private JvmProcess(String name, Process process, Consumer<String> lines) {
    this.name = name;
    this.process = process;
    // A frozen process would not notice that this JVM is gone
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end of " + name));
    reader = new Thread(() -> read(lines), "output of " + name);
    reader.setDaemon(true);
    reader.start();
  }

  /** A command line that is being put together. For one thread. */
  public static final class Command {

    private final String name;
    private final List<String> options = new ArrayList<>(ALWAYS);
    private final ProcessBuilder builder = new ProcessBuilder();
    private final Class<?> main;

    private Command(String name, Class<?> main) {
      this.name = name;
      this.main = main;
      builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** An option of the JVM. */
    public Command option(String option) {
      options.add(option);
      return this;
    }

    /** An environment variable; other users of the machine do not see it. */
    public Command environment(String variable, String value) {
      builder.environment().put(variable, value);
      return this;
    }

    /** Standard error goes to the end of this file. */
    public Command errorsTo(Path file) {
      builder.redirectError(ProcessBuilder.Redirect.appendTo(file.toFile()));
      return this;
    }

    /** Starts it; {@code lines} gets each line that it prints. */
    public JvmProcess start(Consumer<String> lines, String... arguments) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(options);
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
      command.addAll(List.of(arguments));
      try {
        return new JvmProcess(name, builder.command(command).start(), lines);
      } catch (IOException e) {
        throw new UncheckedIOException("The process of " + name + " did not start", e);
      }
    }
  }

  /** A process that runs {@code main}. */
  public static Command running(String name, Class<?> main) {
    return new Command(name, main);
  }

  private void read(Consumer<String> lines) {
    try (BufferedReader output = process.inputReader(UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.accept(line);
      }
    } catch (IOException e) {
      System.err.println("The output of " + name + " broke off: " + e);
    }
  }

  /** Its name, for people. */
  public String name() {
    return name;
  }

  /**
   * Returns quietly while it runs.
   *
   * @throws IllegalStateException once it has ended
   */
  public void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "%s ended with exit status %d.".formatted(name, process.exitValue()));
    }
  }

  /** Sends a line to its standard input. */
  public void say(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes(UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be told to " + line, e);
    }
  }

  /** SIGKILL; the exit status. */
  public int kill() {
    signal("KILL"); // Process.destroyForcibly would also close the output that is still to be read
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

  /** Waits for its end, however long that takes, and for the end of its output; the exit status. */
  public int endStatus() {
    try {
      int status = process.waitFor();
      reader.join();
      return status;
    } catch (InterruptedException e) {
      throw Waiting.interrupted(e);
    }
  }

  /**
   * Waits for its end and for the end of its output; the exit status.
   *
   * @throws Stalled if it does not end
   */
  public int exitStatus() {
    try {
      if (!process.waitFor(Waiting.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        throw new Stalled(name + " did not end");
      }
      reader.join(Waiting.PATIENCE.toMillis());
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
