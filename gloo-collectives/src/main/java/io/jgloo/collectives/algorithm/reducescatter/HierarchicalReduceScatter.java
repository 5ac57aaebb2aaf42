package io.jgloo.collectives.algorithm.reducescatter;

import io.jgloo.collectives.Algorithm;
import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Cost;
import io.jgloo.collectives.Layout;
import io.jgloo.collectives.Partition;
import io.jgloo.collectives.Program;
import io.jgloo.collectives.Program.Order;
import io.jgloo.collectives.Range;
import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import io.jgloo.collectives.algorithm.pattern.NodeView;
import java.util.HashMap;
import java.util.Map;

/**
 * Hierarchical reduce-scatter: on each host the owner of a column reduces the blocks of its ranks
 * on all hosts; the owners exchange these and reduce those of their own host; ranks that own no
 * column get their block from its owner. A block leaves each host once.
 *
 * <p>Drawn: reduceScatter hierarchical, 4 ranks on 2 hosts, 4 elements.
 *
 * <pre>{@code
 *           rank 0              rank 1              rank 2              rank 3
 * round 1   b>1 +a<1 d>1 +c<1   a>0 +b<0 c>0 +d<0   d>3 +c<3 b>3 +a<3   c>2 +d<2 a>2 +b<2
 * round 2   c>2 +a<2            d>3 +b<3            a>0 +c<0            b>1 +d<1
 * }</pre>
 *
 * @param collective reduceScatter or reduceScatterv
 */
public record HierarchicalReduceScatter(Collective collective) implements Algorithm {
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

  private static final class Exchange {
    private final Program program;
    private final NodeView view;
    private final Partition blocks;
    private final int nodes;
    private final Map<Integer, Range> places = new HashMap<>();

    Exchange(Program program, NodeView view, Partition blocks) {
      this.program = program;
      this.view = view;
      this.blocks = blocks;
      this.nodes = view.layout().nodes();
    }

    void run() {
      if (view.isOwner()) {
        findPlaces();
      }
      for (int far = 0; far < nodes; far++) {
        int node = (view.node() + far) % nodes;
        for (int turn = 0; turn < view.columns(); turn++) {
          int column = (view.index() + 1 + turn) % view.columns();
          for (int block : view.ofColumn(node, column)) {
            reduceInside(view.layout().member(view.node(), column), block);
          }
        }
      }
      for (int far = 1; far < nodes && view.isOwner(); far++) {
        between((view.node() + far) % nodes, (view.node() + nodes - far) % nodes);
      }
      int owner = view.layout().member(view.node(), view.index() % view.columns());
      Range result = program.result(blocks.part(view.rank()));
      if (owner != view.rank()) {
        program.recv(owner, result);
        return;
      }
      for (int member : view.ofColumn(view.node(), view.index())) {
        if (member != owner) {
          program.send(member, places.get(member));
        }
      }
      program.copy(result, places.get(owner));
    }

    /** Where the blocks of this rank's column are reduced. */
    private void findPlaces() {
      long used = 0;
      for (int node = 0; node < nodes; node++) {
        for (int of : view.ofColumn(node, view.index())) {
          Range own = program.own(blocks.part(of));
          places.put(of, program.shape().inPlace() ? own : scratch(used, own.length()));
          used += (own.length() + 63) / 64 * 64;
        }
      }
    }

    private static Range scratch(long start, long length) {
      return new Range(Space.SCRATCH, start, length);
    }

    private void reduceInside(int owner, int of) {
      Range block = blocks.part(of);
      if (owner != view.rank()) {
        program.send(owner, program.own(block));
        return;
      }
      Range place = places.get(of);
      for (int far = 1; far < view.localSize(); far++) {
        if (far == 1) {
          program.recvReduceOwn(view.member(-far), block, place, Order.TARGET_FIRST);
        } else {
          program.recvReduce(view.member(-far), place, Order.TARGET_FIRST);
        }
      }
      if (view.localSize() == 1) {
        program.copy(place, program.own(block));
      }
    }

    /** Sends the blocks of one node to their owner there, and reduces those of this node. */
    private void between(int to, int from) {
      int column = view.index();
      for (int of : view.ofColumn(to, column)) {
        program.send(view.layout().member(to, column), places.get(of));
      }
      for (int of : view.ofColumn(view.node(), column)) {
        int owner = view.layout().member(from, column);
        program.recvReduce(owner, places.get(of), Order.TARGET_FIRST);
      }
    }
  }

  @Override
  public Cost cost(Shape shape) {
    if (shape.size() == 1 || shape.bytes() == 0) {
      return Cost.NOTHING;
    }
    Layout layout = shape.layout();
    long block = Partition.chunks(shape).longest();
    long each = shape.messages(block);
    long inColumn = NodeView.mostOfColumn(layout);
    long sent = (layout.nodes() - 1L) * inColumn;
    long reduced = (layout.mostLocalSize() - 1L) * layout.nodes() * inColumn;
    Cost inside = new Cost(reduced, reduced * each, reduced * block, reduced * block, 0).inside();
    return inside
        .plus(
            new Cost(sent, sent * each, sent * block, sent * block, 0)
                .queueing(Math.max(0, sent - 1))
                .sharingLink(layout.leastLocalSize()))
        .reducing((reduced + sent) * block);
  }

  @Override
  public int linkSharers(Layout layout) {
    return 1;
  }
}
