package io.jgloo.bench;

import io.jgloo.bench.RankProgram.Failure;
import io.jgloo.bench.report.Event;
import io.jgloo.rendezvous.store.Store;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Ranks of one process that are threads of this JVM, each with a device of its own.
 *
 * @param process whose ranks they are
 * @param store where all ranks meet; it is closed when one fails
 * @param failed is called with each rank that fails and the reason, before other ranks can notice
 */
record ThreadRanks(
    Settings settings,
    int process,
    Store store,
    Consumer<Event> report,
    PrintWriter err,
    BiConsumer<Integer, Failure> failed) {

  /** Runs them all; returns the greatest exit code. */
  int run() throws InterruptedException {
    AtomicInteger worst = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    try {
      for (int rank = settings.firstRank(process); rank < settings.firstRank(process + 1); rank++) {
        RankProgram program = program(rank);
        Thread thread =
            new Thread(
                () -> worst.accumulateAndGet(program.run(), Math::max), "bench-rank-" + rank);
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      store.close();
    }
    return worst.get();
  }

  private RankProgram program(int rank) {
    return new RankProgram(
        settings,
        rank,
        builder -> builder.store(store),
        report,
        err,
        failure -> {
          failed.accept(rank, failure);
          store.close(); // ranks that wait there for this one need not
        });
  }
}
