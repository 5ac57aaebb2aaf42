package io.jgloo.transport.flight;

import jdk.jfr.FlightRecorder;

/**
 * The check for a Flight Recorder that may want events.
 *
 * <p><em>Threads</em>: any.
 */
public final class Flight {

  /** Whether the JVM has the module jdk.jfr, without which no class of events can be loaded. */
  public static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private Flight() {}

  /** Whether a recording was started in this process, now or before. */
  public static boolean isRunning() {
    return PRESENT && FlightRecorder.isInitialized();
  }
}
