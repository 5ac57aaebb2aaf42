package io.jgloo.collectives.algorithm.allgather;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.NodeView;

/**
 * Hierarchical allgather: the ranks of a host send each other their blocks; the owners of a column
 * on all hosts exchange the blocks of the column, and send those received to the ranks of their
 * host. A block enters each host once.
 *
 * <p>Drawn: allgather hierarchical, 4 ranks on 2 hosts, 4 elements.
 *
 * <pre>{@code
 *           rank 0    rank 1    rank 2    rank 3
 * round 1   a>1 b<1   b>0 a<0   c>3 d<3   d>2 c<2
 * round 2   a>2 c<2   b>3 d<3   c>0 a<0   d>1 b<1
 * round 3   c>1 d<1   c<0 d>0   a>3 b<3   a<2 b>2
 * }</pre>
 *
 * @param collective allgather or allgatherv
 */
public record HierarchicalAllgather(Collective collective) implements Algorithm {
  @Override
  public String name() {
    return "hierarchical";
  }

  @Override
  public Schedule schedule(Shape shape, int rank) {
    Program program = new Program(this, shape, rank);
    new Exchange(program, new NodeView(shape, rank), Partition.chunks(shape)).run();
    return program.schedule();
  }

  private record Exchange(Program program, NodeView view, Partition blocks) {
    void run() {
      program.copyOwn(blocks.part(view.rank()));
      for (int far = 1; far < view.localSize(); far++) {
        program.send(view.member(far), held(view.rank()));
        program.recv(view.member(-far), held(view.member(-far)));
      }
      int nodes = view.layout().nodes();
      for (int far = 1; far < nodes; far++) {
        int from = (view.node() + nodes - far) % nodes;
        if (view.isOwner()) {
          between((view.node() + far) % nodes, from);
        }
        for (int column = 0; column < view.columns(); column++) {
          publish(from, column);
        }
      }
    }

    /**
     * Sends the blocks of this host's column to the owner on one node, and receives those of one.
     */
    private void between(int to, int from) {
      int column = view.index();
      for (int member : view.ofColumn(view.node(), column)) {
        program.send(view.layout().member(to, column), held(member));
      }
      for (int member : view.ofColumn(from, column)) {
        program.recv(view.layout().member(from, column), held(member));
      }
    }

    /** Sends the blocks of another node's column from their owner here to the other ranks here. */
    private void publish(int from, int column) {
      int owner = view.layout().member(view.node(), column);
      for (int block : view.ofColumn(from, column)) {
        if (owner != view.rank()) {
          program.recv(owner, held(block));
          continue;
        }
        for (int far = 1; far < view.localSize(); far++) {
          program.send(view.member(far), held(block));
        }
      }
    }

    private Range held(int of) {
      Range block = blocks.part(of);
      return of == view.rank() ? program.own(block) : program.result(block);
    }
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    Layout layout = shape.layout();
    long block = Partition.chunks(shape).longest();
    long others = shape.size() - 1L;
    long inColumn = NodeView.mostOfColumn(layout);
    long sent = (layout.nodes() - 1L) * inColumn;
    long messages = (layout.mostLocalSize() - 1L) * (1 + sent) + sent;
    long each = shape.messages(block);
    Cost between =
        new Cost(sent, sent * each, sent * block, sent * block, 0).queueing(Math.max(0, sent - 1));
    long local = (messages - sent) * block;
    if (layout.mostLocalSize() == 1) {
      return between;
    }
    return new Cost(others, (messages - sent) * each, local, others * block, 0)
        .inside()
        .plus(between.sharingLink(layout.leastLocalSize()));
  }

  @Override
  public int linkSharers(Layout layout) {
    return 1;
  }
}
