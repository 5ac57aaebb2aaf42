package io.jgloo.transport.tcp;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Counts what is still reachable: a heap that is flat to the object. */
final class LiveObjects {

  private LiveObjects() {}

  /** Reachable objects of a class, after a full collection. */
  static long of(Class<?> kind) {
    String histogram;
    try {
      histogram =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "gcClassHistogram",
                      new Object[] {new String[0]},
                      new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new AssertionError("no histogram of the heap", e);
    }
    // num: instances bytes class-name (module)
    return histogram
        .lines()
        .map(line -> line.trim().split("\\s+"))
        .filter(columns -> columns.length >= 4 && columns[3].equals(kind.getName()))
        .mapToLong(columns -> Long.parseLong(columns[1]))
        .sum();
  }
}
