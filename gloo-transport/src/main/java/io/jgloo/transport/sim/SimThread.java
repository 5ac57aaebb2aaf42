package io.jgloo.transport.sim;

/** A thread of a world, which finds its strand without a map. */
final class SimThread extends Thread {

  Scheduler scheduler;
  Strand strand;

  SimThread(Runnable body, String name) {
    super(body, name);
    setDaemon(true);
  }
}
