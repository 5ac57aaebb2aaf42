package io.jgloo.examples;

import io.jgloo.rendezvous.Stores;
import io.jgloo.rendezvous.store.Store;
import io.jgloo.rendezvous.store.TcpStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Starts the processes of a job on this machine, and another one for each that is killed.
 *
 * <p>{@code ElasticJob SIZE STEPS}. The workers ({@link ElasticWorker}) train on generated rows.
 * This process serves their store, so any of them may be lost.
 *
 * <p><em>Threads</em>: one, and one for each worker that waits for its end.
 */
public final class ElasticJob {

  private static final int ROWS = 3000;
  private static final int FEATURES = 24;

  /** Replacements for each worker, after which the job is given up. */
  private static final int MOST_RESTARTS = 5;

  private final String store;
  private final Path file;
  private final String steps;
  private final Set<Process> workers = new HashSet<>(); // guarded by this
  private final BlockingQueue<Process> ended = new LinkedBlockingQueue<>();
  private boolean stopped;

  private ElasticJob(String store, Path file, String steps) {
    this.store = store;
    this.file = file;
    this.steps = steps;
  }

  /** Ends with status 0 when a worker has trained to the end and no other one is left. */
  public static void main(String[] args) throws Exception {
    if (args.length != 2) {
      throw new IllegalArgumentException("arguments must be SIZE STEPS");
    }
    Path folder = Files.createTempDirectory("elastic");
    Path file = generate(folder);
    try (TcpStore server = Stores.serve("127.0.0.1", 0, Store.DEFAULT_TIMEOUT)) {
      String store = "tcp://127.0.0.1:" + server.port() + "?serve=no";
      boolean trained = new ElasticJob(store, file, args[1]).run(Integer.parseInt(args[0]));
      if (!trained) {
        throw new IllegalStateException("no worker has trained to the end");
      }
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  /** Writes the rows that the workers train on. */
  static Path generate(Path folder) throws IOException {
    Path file = folder.resolve("rows.libsvm");
    LibsvmFile.generate(file, ROWS, FEATURES);
    return file;
  }

  private boolean run(int size) throws Exception {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
    for (int rank = 0; rank < size; rank++) {
      start(List.of("" + rank, "" + size));
    }
    boolean trained = false;
    int restarts = MOST_RESTARTS * size;
    for (int running = size; running > 0; running--) {
      Process worker = ended.take();
      remove(worker);
      trained |= worker.exitValue() == 0;
      System.out.println("worker " + worker.pid() + " ended with status " + worker.exitValue());
      if (!trained && restarts-- > 0) {
        start(List.of());
        running++;
      }
    }
    return trained;
  }

  private synchronized void remove(Process worker) {
    workers.remove(worker);
  }

  /** Ends all workers, and has no more started. */
  private synchronized void stop() {
    stopped = true;
    workers.forEach(Process::destroyForcibly);
  }

  private synchronized void start(List<String> rank) throws IOException {
    if (stopped) {
      return;
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ElasticWorker.class.getName(), store, file.toString(), steps));
    command.addAll(rank);
    Process worker = new ProcessBuilder(command).inheritIO().start();
    workers.add(worker);
    System.out.println("worker " + worker.pid() + " started");
    Thread wait = new Thread(() -> awaitEnd(worker), "wait-" + worker.pid());
    wait.setDaemon(true);
    wait.start();
  }

  private void awaitEnd(Process worker) {
    try {
      worker.waitFor();
      ended.add(worker);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
