package io.jgloo.collectives.verify;

import io.jgloo.collectives.Range.Space;
import io.jgloo.collectives.Schedule;
import io.jgloo.collectives.Shape;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;

/** The symbolic memory of all ranks, and what operations do to it. */
@NullUnmarked // maps with all spaces
final class Memory {
  private final Network network;
  private final Terms terms;
  private final List<Map<Space, Runs>> spaces;

  /** Every rank's contribution is where its shape says; all else is undefined. */
  Memory(Network network) {
    this.network = network;
    this.terms = new Terms(network.size());
    this.spaces = new ArrayList<>(network.size());
    for (int rank = 0; rank < network.size(); rank++) {
      Schedule schedule = network.schedule(rank);
      Shape shape = schedule.shape();
      Map<Space, Runs> own = new EnumMap<>(Space.class);
      for (Space space : Space.values()) {
        own.put(space, new Runs(schedule.bytes(space), Terms.UNDEFINED, 0));
      }
      if (shape.contributionBytes(rank) > 0) {
        own.get(shape.inPlace() ? Space.OUTPUT : Space.INPUT)
            .replace(
                shape.contributionOffset(rank),
                new Runs(shape.contributionBytes(rank), rank, shape.contributionStart(rank)));
      }
      spaces.add(own);
    }
  }

  Terms terms() {
    return terms;
  }

  /** What a rank's output holds. */
  Runs output(int rank) {
    return spaces.get(rank).get(Space.OUTPUT);
  }

  /** The content of a send's range now; all of it must be defined. */
  Runs sent(int operation) {
    Schedule schedule = network.schedule(network.rankOf(operation));
    int op = operation - network.base(schedule.rank());
    return read(operation, schedule.space(op), schedule.offset(op), schedule.length(op));
  }

  /** Does what a receive does with what has arrived. */
  void receive(int operation, Runs arrived) {
    Schedule schedule = network.schedule(network.rankOf(operation));
    int op = operation - network.base(schedule.rank());
    if (schedule.kind(op) == Schedule.Kind.RECV_REDUCE) {
      reduce(operation, schedule, op, arrived);
    } else {
      write(operation, schedule, op, arrived);
    }
  }

  /** Does a local operation. */
  void local(int operation) {
    Schedule schedule = network.schedule(network.rankOf(operation));
    int op = operation - network.base(schedule.rank());
    Runs source =
        read(operation, schedule.sourceSpace(op), schedule.sourceOffset(op), schedule.length(op));
    if (schedule.kind(op) == Schedule.Kind.REDUCE) {
      reduce(operation, schedule, op, source);
    } else {
      write(operation, schedule, op, source);
    }
  }

  private Runs read(int operation, Space space, long offset, long length) {
    int rank = network.rankOf(operation);
    Runs buffer = spaces.get(rank).get(space);
    if (offset + length > buffer.length()) {
      throw network.fault(operation, "reads past the end of " + space.label());
    }
    Runs content = buffer.slice(offset, length);
    for (int run = 0; run < content.count(); run++) {
      if (content.term(run) == Terms.UNDEFINED) {
        long at = offset + content.start(run);
        throw network.fault(operation, "reads undefined bytes of " + space.label() + " at " + at);
      }
    }
    return content;
  }

  private void write(int operation, Schedule schedule, int op, Runs content) {
    Space space = schedule.space(op);
    Runs buffer = spaces.get(schedule.rank()).get(space);
    if (schedule.offset(op) + content.length() > buffer.length()) {
      throw network.fault(operation, "writes past the end of " + space.label());
    }
    buffer.replace(schedule.offset(op), content);
  }

  private void reduce(int operation, Schedule schedule, int op, Runs source) {
    long offset = schedule.offset(op);
    Runs target = read(operation, schedule.space(op), offset, schedule.length(op));
    boolean sourceFirst = schedule.sourceFirst(op);
    Runs result = new Runs(schedule.length(op), Terms.UNDEFINED, 0);
    long at = 0;
    for (int t = 0, s = 0; at < schedule.length(op); ) {
      long end = Math.min(target.end(t), source.end(s));
      long origin = target.origin(t) + at - target.start(t);
      int one = target.term(t);
      int other = source.term(s);
      if (origin != source.origin(s) + at - source.start(s)) {
        throw network.fault(operation, "reduces different elements, at byte " + at + " of it");
      }
      int twice = terms.common(one, other);
      if (twice >= 0) {
        throw network.fault(
            operation,
            "counts rank " + twice + " twice: " + terms.describe(one) + terms.describe(other));
      }
      int reduced = sourceFirst ? terms.reduce(other, one) : terms.reduce(one, other);
      result.replace(at, new Runs(end - at, reduced, origin));
      at = end;
      t += target.end(t) == at ? 1 : 0;
      s += source.end(s) == at ? 1 : 0;
    }
    write(operation, schedule, op, result);
  }
}
