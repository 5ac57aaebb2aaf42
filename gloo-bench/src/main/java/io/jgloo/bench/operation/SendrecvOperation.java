package io.jgloo.bench.operation;

import io.jgloo.ProcessGroup;
import io.jgloo.bench.operation.VectorOperation.Block;
import java.util.List;

/**
 * Each even rank sends its vector to the next rank, which sends back what it received.
 *
 * <p>Timed at the even ranks; a time is that of one way, half of there and back. Of an odd number
 * of ranks the last one has no peer and takes no part.
 */
final class SendrecvOperation extends VectorOperation {

  private static final long TAG = 1;

  @Override
  public String name() {
    return "sendrecv";
  }

  @Override
  public int leastRanks() {
    return 2;
  }

  @Override
  public int waysPerCall() {
    return 2;
  }

  @Override
  public double busFactor(int size) {
    return 1;
  }

  @Override
  boolean timed(View view) {
    return starts(view.rank()) && paired(view.rank(), view.size());
  }

  @Override
  List<Block> input(View view) {
    return starts(view.rank()) ? content(view) : List.of();
  }

  @Override
  List<Block> expected(View view) {
    return content(view);
  }

  private static List<Block> content(View view) {
    return paired(view.rank(), view.size())
        ? List.of(Block.whole(view.count(), view.of(view.rank() & ~1)))
        : List.of();
  }

  @Override
  void call(ProcessGroup group, View view, Ends ends) {
    int peer = view.rank() ^ 1;
    if (!paired(view.rank(), view.size())) {
      return;
    }
    if (starts(view.rank())) {
      group.send(ends.input().payload(), peer, TAG);
      group.recv(ends.output().payload(), peer, TAG);
    } else {
      group.recv(ends.output().payload(), peer, TAG);
      group.send(ends.output().payload(), peer, TAG);
    }
  }

  private static boolean starts(int rank) {
    return (rank & 1) == 0;
  }

  private static boolean paired(int rank, int size) {
    return (rank ^ 1) < size;
  }
}
