package io.jgloo.rendezvous;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Collects what a class logs, until it is closed. */
public final class LogRecords implements AutoCloseable {
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Logger logger; // kept, since java.util.logging does not
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          records.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  public LogRecords(Class<?> source) {
    logger = Logger.getLogger(source.getName());
    logger.addHandler(handler);
  }

  public List<String> warnings() {
    return records.stream()
        .filter(entry -> entry.getLevel().equals(Level.WARNING))
        .map(new SimpleFormatter()::formatMessage)
        .toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
