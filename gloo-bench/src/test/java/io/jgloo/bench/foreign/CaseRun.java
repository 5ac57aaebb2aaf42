package io.jgloo.bench.foreign;

import io.jgloo.CallOptions;
import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Work;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * One case at one rank: fills its inputs, makes the call, holds what came out.
 *
 * <p><em>Threads</em>: one.
 */
final class CaseRun {
  private static final long SEND_RECV_SLOT = 1 << 20;
  private static final long RECV_ANY_SLOT = 1 << 21;
  private static final Duration ROLL_CALL = Duration.ofSeconds(30);

  private final ProcessGroup group;
  private final Case each;
  private final int count;
  private final int root;
  private final boolean isRoot;
  private final Vectors vectors;

  private CaseRun(ProcessGroup group, Case each) {
    this.group = group;
    this.each = each;
    count = each.count();
    root = each.root();
    isRoot = group.rank() == root;
    vectors = new Vectors(each, group.rank());
  }

  /** Runs a case; returns what is to be written to the dump, that of its last run. */
  static List<ByteBuffer> of(ProcessGroup group, Case each) {
    ProcessGroup called = configured(group, each);
    long runs = each.number("runs", 1);
    CaseRun run = new CaseRun(called, each);
    run.call();
    for (long i = runs; i > 1; i--) {
      run = new CaseRun(called, each);
      run.call();
    }
    return run.vectors.kept();
  }

  private static ProcessGroup configured(ProcessGroup group, Case each) {
    CallOptions options = CallOptions.DEFAULTS;
    if (each.text("algorithm", "").equals("bcube")) {
      options = options.algorithm("glooBcube");
    }
    if (each.values().containsKey("tag")) {
      options = options.tag(each.number("tag", 0));
    }
    return group.with(options);
  }

  private void call() {
    switch (each.operation()) {
      case "barrier" -> group.barrier();
      case "broadcast" -> {
        Payload out = vectors.output(count);
        group.broadcast(isRoot ? vectors.input(count) : out, out, root);
      }
      case "allreduce" -> allreduce();
      case "reduce" -> reduce();
      case "reduceScatter" ->
          group.reduceScatter(
              vectors.input(count * group.size()), vectors.output(count), each.op());
      case "monitoredBarrier" -> group.monitoredBarrier(ROLL_CALL);
      case "sendRecv" -> sendRecv();
      case "recvAny" -> recvAny();
      default -> block();
    }
  }

  private void allreduce() {
    int outputs = (int) each.number("outputs", 1);
    List<Payload> in = new ArrayList<>();
    List<Payload> out = new ArrayList<>();
    for (int i = 0; i < each.number("inputs", 1); i++) {
      in.add(vectors.input(i, count));
    }
    for (int i = 0; i < outputs; i++) {
      out.add(vectors.output(count));
    }
    if (each.number("inplace", 0) != 0) {
      vectors.kept().clear();
      group.allreduce(vectors.both(count), each.op());
    } else if (in.size() == 1 && out.size() == 1) {
      group.allreduce(in.get(0), out.get(0), each.op());
    } else {
      group.allreduce(in, out, each.op());
    }
  }

  private void reduce() {
    if (isRoot) {
      group.reduce(vectors.input(count), vectors.output(count), each.op(), root);
    } else {
      group.reduce(vectors.input(count), each.op(), root);
    }
  }

  private void block() {
    int size = group.size();
    int rank = group.rank();
    long[] parts = Parts.each(count, size);
    switch (each.operation()) {
      case "scatter" -> {
        Payload out = vectors.output(count);
        group.scatter(isRoot ? vectors.input(count * size) : out, out, root);
      }
      case "gather" -> {
        Payload in = vectors.input(count);
        group.gather(in, isRoot ? vectors.output(count * size) : in, root);
      }
      case "gatherv" -> {
        Payload in = vectors.input((int) parts[rank]);
        group.gatherv(in, isRoot ? vectors.output(Parts.total(parts)) : in, parts, root);
      }
      case "allgather" -> group.allgather(vectors.input(count), vectors.output(count * size));
      case "allgatherv" ->
          group.allgatherv(
              vectors.input((int) parts[rank]), vectors.output(Parts.total(parts)), parts);
      case "alltoall" -> group.alltoall(vectors.input(count * size), vectors.output(count * size));
      case "alltoallv" -> {
        long[] sent = Parts.sent(count, rank, size);
        long[] received = Parts.received(count, rank, size);
        Payload in = vectors.input(Parts.total(sent));
        group.alltoallv(in, sent, vectors.output(Parts.total(received)), received);
      }
      default -> throw new IllegalArgumentException("no operation " + each.operation());
    }
  }

  private void sendRecv() {
    int size = group.size();
    int messages = (int) each.number("messages", 1);
    long slot = each.number("slot", SEND_RECV_SLOT);
    ByteBuffer in = Filling.of(each, group.rank(), 0, count * messages);
    ByteBuffer out = Filling.empty(each, count * messages);
    vectors.keep(out);
    List<Work> works = new ArrayList<>();
    for (int m = 0; m < messages; m++) {
      Payload received = vectors.payload(vectors.part(out, m * count, count));
      Payload sent = vectors.payload(vectors.part(in, m * count, count));
      works.add(group.async().recv(received, (group.rank() + size - 1) % size, slot));
      works.add(group.async().send(sent, (group.rank() + 1) % size, slot));
    }
    works.forEach(Work::await);
  }

  /** The root takes from any rank, after it has asked the last rank by name some times. */
  private void recvAny() {
    int size = group.size();
    int messages = (int) each.number("messages", 1);
    long slot = each.number("slot", RECV_ANY_SLOT);
    if (!isRoot) {
      ByteBuffer in = Filling.of(each, group.rank(), 0, count * messages);
      List<Work> works = new ArrayList<>();
      for (int m = 0; m < messages; m++) {
        Payload sent = vectors.payload(vectors.part(in, m * count, count));
        works.add(group.async().send(sent, root, slot));
      }
      works.forEach(Work::await);
      return;
    }
    BitSet others = new BitSet();
    others.set(0, size);
    others.clear(root);
    int named = root == size - 1 ? size - 2 : size - 1;
    ByteBuffer[] heard = new ByteBuffer[size];
    for (int peer = 0; peer < size; peer++) {
      heard[peer] = Filling.empty(each, peer == root ? 0 : count * messages);
      vectors.keep(heard[peer]);
    }
    for (int m = 0; m < messages * (size - 1); m++) {
      ByteBuffer one = Filling.empty(each, count);
      int source = named;
      if (m < each.number("directed", 0)) {
        group.recv(vectors.payload(one), named, slot);
      } else {
        source = group.recvAny(vectors.payload(one), others, slot);
      }
      heard[source].put(one.duplicate());
    }
    for (ByteBuffer each : heard) {
      each.rewind();
    }
  }
}
