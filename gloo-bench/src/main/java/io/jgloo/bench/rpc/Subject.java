package io.jgloo.bench.rpc;

import java.io.IOException;

/** A library under measurement, connected to its server. */
interface Subject extends AutoCloseable {

  /** What reports call it. */
  String name();

  /** Calls one after another; returns median and 99th percentile in microseconds. */
  double[] echo(int bytes, int millis) throws IOException, InterruptedException;

  /** Returns calls per second with this many under way. */
  double pipeline(int bytes, int underWay, int millis) throws IOException, InterruptedException;

  /**
   * Makes a value at the server, fetches and frees it, again and again.
   *
   * @return median and 99th percentile in microseconds, and how many per second with some under
   *     way; null if the library has no references
   */
  double[] references(int underWay, int millis) throws IOException, InterruptedException;

  @Override
  void close();
}
