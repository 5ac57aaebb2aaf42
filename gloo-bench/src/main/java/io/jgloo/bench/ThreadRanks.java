package io.jgloo.bench;

import io.jgloo.bench.report.Report;
import io.jgloo.rendezvous.store.HashStore;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Ranks that are threads of this JVM, each with a device of its own, meeting in a store of maps.
 */
record ThreadRanks(Settings settings, Report report, PrintWriter err) {

  private record Told(int rank, Failure failure) {}

  /** Runs them all; the first failure is the one that is told. */
  int run() throws InterruptedException {
    AtomicReference<Told> first = new AtomicReference<>();
    AtomicInteger worst = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    HashStore store = new HashStore(settings.timeout());
    try {
      for (int rank = 0; rank < settings.ranks(); rank++) {
        int own = rank;
        RankProgram program =
            new RankProgram(
                settings,
                rank,
                builder -> builder.store(store),
                report,
                err,
                failure -> {
                  first.compareAndSet(null, new Told(own, failure));
                  store.close(); // who waits for this rank there need not
                });
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
    if (first.get() != null) {
      first.get().failure().print(err, "gloo-bench: ", first.get().rank());
      return first.get().failure().exitCode();
    }
    return worst.get();
  }
}
