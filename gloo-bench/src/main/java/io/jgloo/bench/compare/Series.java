package io.jgloo.bench.compare;

/** The names under which figures go into reports and targets. */
final class Series {

  static final String OURS = "JGloo";
  static final String SHARED = "JGloo, shared memory";
  static final String HEAP = "JGloo, heap arrays";
  static final String OURS_AS_GLOO = "JGloo, wire gloo";
  static final String PAIR = "JGloo, bare pair";
  static final String GLOO = "C++ Gloo default";
  static final String POLLING = "C++ Gloo sync+busy-poll";
  static final String MPI_TCP = "Open MPI TCP";
  static final String MPI_SHM = "Open MPI shared memory";
  static final String EXCHANGE = "C limit, both ways";
  static final String ONE_WAY = "C limit, one way";
  static final String PINGPONG = "C limit, ping-pong";

  private Series() {}
}
