/**
 * Events for JDK Flight Recorder, of all modules.
 *
 * <p>The module jdk.jfr may be absent, so the classes of events are used only where {@link
 * io.jgloo.transport.flight.Flight} says that a recorder is running; nor are they loaded before,
 * which would take some 50 ms.
 */
package io.jgloo.transport.flight;
