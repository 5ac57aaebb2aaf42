package io.jgloo.ps.handle;

import io.jgloo.ps.kv.KvPairs;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Pushes sums of what several workers push to another handle. */
abstract class SumHandle<A> extends HandleBefore<A, StoreHandle<A>> {

  static final String ENDED = "the server has ended";

  /** A push that waits for its keys. */
  static final class Waiting<A> {
    final RequestMeta meta;
    final KvPairs<A> pairs;
    final Responder<A> responder;
    private int left;

    Waiting(RequestMeta meta, KvPairs<A> pairs, Responder<A> responder) {
      this.meta = meta;
      this.pairs = pairs;
      this.responder = responder;
      left = pairs.size();
    }

    /** A key has ended, all of them with an error; answers after the last one. */
    void ended(@Nullable String error, StoreHandle<A> target) {
      if (error != null && left > 0) {
        left = 0;
        responder.error(Responder.WRONG_LENGTH, error);
      } else if (left > 0 && --left == 0) {
        answer(target);
      }
    }

    /** Answers whatever is left. */
    void answer(StoreHandle<A> target) {
      left = 0;
      if (meta.isPull()) {
        target.pull(pairs, responder);
      } else {
        responder.ok();
      }
    }
  }

  /** What a push has for a key. */
  record Contribution<A>(Waiting<A> push, int index) {}

  final ValueType<A> type;
  private final Update sum;

  SumHandle(ValueType<A> type, StoreHandle<A> target) {
    super(target);
    this.type = type;
    sum = Update.sum(type);
  }

  /** Pushes the sum of values of one key, made in the order of the list. */
  final void apply(List<Contribution<A>> contributions) {
    Contribution<A> first = contributions.get(0);
    KvPairs<A> one = first.push().pairs.range(first.index(), first.index() + 1);
    int length = one.length(0);
    String error = null;
    long scratch = Memory.allocate((long) Math.max(1, length) * type.bytes(), Memory.CACHE_LINE);
    try {
      Memory.setZero(scratch, (long) length * type.bytes());
      for (Contribution<A> each : contributions) {
        KvPairs<A> pairs = each.push().pairs;
        if (pairs.length(each.index()) != length) {
          error =
              ("workers push " + length + " and " + pairs.length(each.index()) + " values for key ")
                  + Long.toUnsignedString(one.key(0));
        } else {
          sum.apply(scratch, pairs.valueAddress(each.index()), length);
        }
      }
      error = error == null ? target.push(one, scratch, first.push().meta.round()) : error;
    } finally {
      Memory.free(scratch);
    }
    for (Contribution<A> each : contributions) {
      each.push().ended(error, target);
    }
  }
}
