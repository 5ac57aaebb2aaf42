package io.jgloo.bench.foreign;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What mixed meshes are to do: many cases for one mesh, since connecting costs more than calls.
 *
 * @param size number of ranks
 * @param classic whether C++ is the library of before May 2023, which lacks some things
 * @param full all roots, types, operations and sizes, else some of each
 */
record Plans(int size, boolean classic, boolean full, List<String> lines) {
  private static final List<String> TYPES =
      List.of("float32", "float64", "int32", "int64", "int8", "uint8", "uint64", "float16");
  private static final List<String> OPS = List.of("sum", "product", "min", "max");
  private static final int SEVERAL_SEGMENTS = 1_500_007;

  /** A plan of everything that such a mesh can do. */
  static List<String> of(int size, boolean classic, boolean full) {
    Plans plans = new Plans(size, classic, full, new ArrayList<>());
    plans.moves();
    plans.reductions();
    plans.messages();
    return List.copyOf(plans.lines);
  }

  private void add(String line, Object... values) {
    int number = lines.size() + 1;
    String text = String.format(Locale.ROOT, line, values);
    lines.add(text + " seed=" + number + " tag=" + number);
  }

  private int[] counts() {
    return full ? new int[] {1, 2, 7, 64, 1001, 100_003} : new int[] {1, 7, 10_007};
  }

  private int[] roots() {
    int[] some = size == 2 ? new int[] {0, 1} : new int[] {0, size / 2, size - 1};
    return full ? IntStream.range(0, size).toArray() : some;
  }

  private void moves() {
    add("barrier runs=3");
    for (int count : counts()) {
      for (int root : roots()) {
        add("broadcast type=int32 count=%d root=%d", count, root);
        add("scatter type=float32 count=%d root=%d", count, root);
        add("gather type=int8 count=%d root=%d", count, root);
        if (!classic) {
          add("gatherv type=float64 count=%d root=%d", count, root);
        }
      }
      add("allgather type=int8 count=%d", count);
      add("allgather type=float64 count=%d", count);
      add("allgatherv type=float64 count=%d", count);
      add("alltoall type=float32 count=%d", count);
      add("alltoallv type=uint8 count=%d", count);
    }
    for (String empty : List.of("broadcast", "scatter", "gather", "alltoall", "alltoallv")) {
      add("%s count=0", empty);
    }
    add("allgatherv count=0");
    if (!classic) { // where it divides by zero
      add("allgather count=0");
    }
    add("broadcast type=uint8 count=3000001 root=%d runs=2", size - 1);
  }

  private void reductions() {
    for (String type : TYPES) {
      for (String op : OPS) {
        add("allreduce type=%s reduce=%s count=1003", type, op);
        if (full || op.equals("sum")) {
          add("allreduce algorithm=bcube type=%s reduce=%s count=1003", type, op);
          add("reduce type=%s reduce=%s count=1003 root=%d", type, op, size - 1);
        }
      }
    }
    for (int count : counts()) {
      for (String algorithm : List.of("ring", "bcube")) {
        add("allreduce algorithm=%s count=%d", algorithm, count);
        add("allreduce algorithm=%s count=%d inplace=1", algorithm, count);
        add("allreduce algorithm=%s count=%d inputs=3 outputs=2", algorithm, count);
      }
      for (int root : roots()) {
        add("reduce count=%d root=%d", count, root);
      }
    }
    add("allreduce count=0");
    add("reduce count=0");
    // The classic library leaves a float16's zero as it is where one of the other sign is assigned.
    List<String> floats = List.of("float32", "float64", "float16");
    for (String type : classic ? floats.subList(0, 2) : floats) {
      add("allreduce type=%s reduce=max count=1003 values=special", type);
      add("allreduce type=%s reduce=min count=1003 values=special", type);
    }
    add("allreduce count=%d runs=2", SEVERAL_SEGMENTS);
    add("reduce count=%d root=0", SEVERAL_SEGMENTS);
  }

  private void messages() {
    for (int count : new int[] {0, 1, 7, 100_003}) {
      add("sendRecv count=%d messages=5", count);
      for (int root : roots()) {
        // A slot for each: a sender that is ahead must not be heard by the case before.
        for (int directed : new int[] {0, 2}) {
          int slot = (1 << 21) + lines.size();
          String line = "recvAny count=%d messages=3 root=%d directed=%d slot=%d";
          add(line, count, root, directed, slot);
        }
      }
    }
  }
}
