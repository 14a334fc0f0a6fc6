package dev.fencedoutbox.it.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** What a logger is told while this is open, and nobody else hears. */
public final class LogLines implements AutoCloseable {

  private final Logger logger;
  private final @Nullable Level levelBefore;
  private final boolean additiveBefore;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  private LogLines(Logger logger, Level level) {
    this.logger = logger;
    this.levelBefore = logger.getLevel();
    this.additiveBefore = logger.isAdditive();
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(level);
  }

  /** Listens to that logger and those below it. */
  public static LogLines of(String name, Level level) {
    return new LogLines((Logger) LoggerFactory.getLogger(name), level);
  }

  /** What was said so far. */
  public List<String> messages() {
    return List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.setLevel(levelBefore);
    logger.setAdditive(additiveBefore);
    logger.detachAppender(lines);
  }
}
