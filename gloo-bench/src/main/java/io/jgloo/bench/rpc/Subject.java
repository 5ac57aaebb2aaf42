package io.jgloo.bench.rpc;

import java.io.IOException;

/** A library under measurement, connected to its server. */
interface Subject extends AutoCloseable {

  /** Times of one call after another, in microseconds. */
  record Times(double p50, double p99) {}

  /** Times of one reference after another, and how many per second with some under way. */
  record References(Times times, double perSecond) {}

  /** What reports call it. */
  String name();

  /** Calls one after another. */
  Times echo(int bytes, int millis) throws IOException, InterruptedException;

  /** Calls per second with this many under way. */
  double pipeline(int bytes, int underWay, int millis) throws IOException, InterruptedException;

  /** Makes a value at the server, fetches and frees it, again and again; null if it cannot. */
  References references(int underWay, int millis) throws IOException, InterruptedException;

  @Override
  void close();
}
