package io.jgloo.bench.probe;

/** What a rank does; all ranks do it at the same time. */
interface Probe {

  void run(Place place) throws Exception;
}
