package io.jgloo.bench;

import io.jgloo.bench.RankProgram.Failure;
import io.jgloo.bench.report.Event;
import io.jgloo.rendezvous.store.HashStore;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Ranks that are threads of this JVM, each with a device of its own, meeting in a store in memory.
 */
record ThreadRanks(Settings settings, Consumer<Event> report, PrintWriter err) {

  private record FirstFailure(int rank, Failure failure) {}

  /** Runs them all; the first failure is the one that is printed. */
  int run() throws InterruptedException {
    AtomicReference<FirstFailure> first = new AtomicReference<>();
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
                  first.compareAndSet(null, new FirstFailure(own, failure));
                  store.close(); // ranks that wait there for this one need not
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
