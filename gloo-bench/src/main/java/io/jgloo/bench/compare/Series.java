package io.jgloo.bench.compare;

import java.util.Set;

/** The names under which figures go into a comparison. */
final class Series {
  static final String OURS = "JGloo";
  static final String SHARED = "JGloo, shared memory";
  static final String ALLOCATED = "JGloo, allocated memory";
  static final String HEAP = "JGloo, heap arrays";
  static final String OURS_AS_GLOO = "JGloo, wire gloo";
  static final String GLOO = "C++ Gloo default";
  static final String POLLING = "C++ Gloo sync+busy-poll";
  static final String MPI_TCP = "Open MPI TCP";
  static final String MPI_SHM = "Open MPI shared memory";
  static final String MPICH_TCP = "MPICH TCP";
  static final String MPICH_SHM = "MPICH shared memory";
  static final String EXCHANGE = "C limit, both ways";
  static final String ONE_WAY = "C limit, one way";
  static final String PINGPONG = "C limit, ping-pong";

  private static final Set<String> IN_MEMORY = Set.of(SHARED, ALLOCATED, MPI_SHM, MPICH_SHM);

  private Series() {}

  /** Our series over the same medium, by whose time a series is judged. */
  static String ours(String series) {
    return IN_MEMORY.contains(series) ? SHARED : OURS;
  }
}
