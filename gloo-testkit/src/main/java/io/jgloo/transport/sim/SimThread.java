package io.jgloo.transport.sim;

/** A thread of a world, which finds its strand without a map. */
final class SimThread extends Thread {

  final Scheduler scheduler;
  final Strand strand;

  SimThread(Scheduler scheduler, Node node, boolean program, String name, Runnable body) {
    super(body, name);
    setDaemon(true);
    this.scheduler = scheduler;
    strand = scheduler.newStrand(this, node, program);
  }

  /** Whether the calling thread is of a rank that has no memory. */
  static boolean isMemoryExhausted() {
    return Thread.currentThread() instanceof SimThread thread
        && thread.strand.node.isMemoryExhausted();
  }

  @Override
  public synchronized void start() {
    scheduler.started(strand);
    super.start();
  }

  @Override
  public void run() {
    scheduler.begin(strand);
    try {
      super.run();
    } finally {
      scheduler.end(strand);
    }
  }

  @Override
  public void interrupt() {
    super.interrupt();
    scheduler.interrupted(strand);
  }
}
