package io.jgloo.bench.report;

/** The names under which figures go into reports and targets. */
public final class Series {

  public static final String OURS = "JGloo";
  public static final String SHARED = "JGloo, shared memory";
  public static final String HEAP = "JGloo, heap arrays";
  public static final String OURS_AS_GLOO = "JGloo, wire gloo";
  public static final String PAIR = "JGloo, bare pair";
  public static final String GLOO = "C++ Gloo default";
  public static final String POLLING = "C++ Gloo sync+busy-poll";
  public static final String MPI_TCP = "Open MPI TCP";
  public static final String MPI_SHM = "Open MPI shared memory";
  public static final String EXCHANGE = "C limit, both ways";
  public static final String ONE_WAY = "C limit, one way";
  public static final String PINGPONG = "C limit, ping-pong";

  private Series() {}
}
