package io.jgloo.bench.rpc;

import io.jgloo.rpc.RRef;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** A library whose client runs in this JVM. */
record JavaSubject(String name, EchoLibrary.Client client) implements RpcCommand.Subject {

  private static final int MOST_SAMPLES = 1 << 18;

  /** What is timed. */
  private interface Call {
    void run() throws IOException;
  }

  private static double[] time(Call call, int millis) throws IOException {
    double[] micros = new double[MOST_SAMPLES];
    int calls = 0;
    long before = System.nanoTime();
    long end = before + millis * 1_000_000L;
    while (calls < MOST_SAMPLES && (calls == 0 || before - end < 0)) {
      call.run();
      long now = System.nanoTime();
      micros[calls++] = (now - before) / 1e3;
      before = now;
    }
    double[] sorted = Arrays.copyOf(micros, calls);
    Arrays.sort(sorted);
    return new double[] {sorted[calls / 2], sorted[(int) (calls * 0.99)]};
  }

  @Override
  public double[] echo(int size, int millis) throws IOException {
    byte[] bytes = new byte[size];
    return time(
        () -> {
          if (client.echo(bytes).length != size) {
            throw new IOException("an echo of " + size + " bytes came back with another length");
          }
        },
        millis);
  }

  @Override
  public double pipeline(int size, int most, int millis) throws IOException, InterruptedException {
    byte[] bytes = new byte[size];
    ArrayDeque<Future<byte[]>> underWay = new ArrayDeque<>();
    long calls = 0;
    long start = System.nanoTime();
    long end = start + millis * 1_000_000L;
    try {
      while (System.nanoTime() - end < 0) {
        while (underWay.size() < most) {
          underWay.add(client.send(bytes));
          calls++;
        }
        while (underWay.size() > most / 2) {
          underWay.poll().get();
        }
      }
      for (Future<byte[]> call : underWay) {
        call.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a call failed: " + e.getCause(), e);
    }
    return calls / ((System.nanoTime() - start) / 1e9);
  }

  @Override
  public double[] references(int underWay, int millis) throws IOException {
    try (RRef<Long> ref = client.make()) {
      if (ref == null) {
        return null;
      }
    }
    double[] one =
        time(
            () -> {
              try (RRef<Long> ref = client.make()) {
                fetch(ref);
              }
            },
            millis);
    long made = 0;
    long start = System.nanoTime();
    long end = start + millis * 1_000_000L;
    while (System.nanoTime() - end < 0) {
      List<RRef<Long>> refs = new ArrayList<>();
      for (int i = 0; i < underWay; i++) {
        refs.add(client.make());
      }
      for (RRef<Long> ref : refs) {
        fetch(ref);
        ref.close();
      }
      made += underWay;
    }
    return new double[] {one[0], one[1], made / ((System.nanoTime() - start) / 1e9)};
  }

  private static void fetch(RRef<Long> ref) throws IOException {
    if (ref.toHere() != 2) {
      throw new IOException("a reference has another value");
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
