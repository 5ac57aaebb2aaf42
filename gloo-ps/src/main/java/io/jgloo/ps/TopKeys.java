package io.jgloo.ps;

import io.jgloo.ps.client.Call;
import io.jgloo.ps.client.Calls;
import io.jgloo.ps.kv.KvCall;
import io.jgloo.ps.kv.ValueType;
import io.jgloo.ps.store.VariableValueStore;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.memory.Memory;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Pushes only the keys whose values are greatest, and keeps the values of the others for later
 * pushes: for servers that add pushes up, not for handles that wait for a key of all workers.
 *
 * <p>What is kept of a key is added to its values at the next push; of the sums, the keys with the
 * greatest norms are sent, and the rounded rest is kept. Nothing that is pushed gets lost, it comes
 * later; what is kept is lost with its worker.
 *
 * <p><i>Threads</i>: any. <i>Owns</i>: what it keeps, 20 bytes and 8 for each value by key, until
 * the node of the worker ends.
 */
public final class TopKeys<A> {

  /**
   * What is sent.
   *
   * @param lens number of values of each key; null if it is the same for all
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Selection<A>(long[] keys, A values, int @Nullable [] lens) {}

  private final KvWorker<A> worker;
  private final ValueType<A> type;
  private final double share;
  private final VariableValueStore kept;
  private boolean closed;

  /** What calls have sent that may be repeated. */
  private final NavigableMap<Long, Selection<A>> sent = new ConcurrentSkipListMap<>();

  /**
   * @param worker of floats or doubles
   * @param share of the keys that is sent, at least one key; above 0 and at most 1
   * @throws IllegalArgumentException if the type or the share is another one
   */
  public TopKeys(KvWorker<A> worker, double share) {
    this.worker = worker;
    this.type = worker.type();
    this.share = share;
    if (type != ValueType.FLOATS && type != ValueType.DOUBLES) {
      throw new IllegalArgumentException("values must be floats or doubles, are " + type);
    }
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be above 0 and at most 1, is " + share);
    }
    kept = new VariableValueStore(0);
    worker.node().atExit(this::close);
  }

  /**
   * Pushes what is greatest of values and of what is kept; as {@link KvWorker#push(long[], Object,
   * KvCall)}. A repetition sends what the repeated call has sent.
   *
   * @throws IllegalArgumentException also if the call to repeat is not known
   */
  public long push(long[] keys, A values, KvCall options) {
    return call(keys, values, options).timestamp();
  }

  /** As {@link #push}; the future is as that of {@link KvWorker#pushAsync}. */
  public CompletableFuture<Void> pushAsync(long[] keys, A values, KvCall options) {
    return call(keys, values, options).future(() -> null);
  }

  private Call<A> call(long[] keys, A values, KvCall options) {
    long repeats = options.repeats();
    Selection<A> selection = repeats < 0 ? null : sent.get(repeats);
    if (repeats >= 0 && selection == null) {
      throw new IllegalArgumentException(
          "call " + repeats + " cannot be repeated: which of its keys were sent is not known");
    }
    if (selection == null) {
      worker.require(keys, values, options);
      selection = select(keys, values, options.lens());
    }
    Call<A> call =
        worker.pushCall(selection.keys, selection.values, options.withLens(selection.lens));
    sent.headMap(call.timestamp() - Calls.KEPT).clear();
    sent.put(call.timestamp(), selection);
    CompletableFuture<Object> unused = call.future(() -> sent.remove(call.timestamp()));
    return call;
  }

  /**
   * Chooses keys.
   *
   * @param lens number of values of each key; null if it is the same for all
   */
  synchronized Selection<A> select(long[] keys, A values, int @Nullable [] lens) {
    if (closed) {
      throw new ClosedException("the node is closed");
    }
    if (keys.length == 0) {
      return new Selection<>(keys, values, lens);
    }
    int each = type.length(values) / keys.length;
    double[] norms = new double[keys.length];
    int at = 0;
    for (int i = 0; i < keys.length; i++) {
      int length = lens == null ? each : lens[i];
      long rest = kept.findOrAdd(keys[i], Double.BYTES * length);
      for (int j = 0; j < length; j++) {
        double sum = Memory.getDouble(rest + 8L * j) + get(values, at++);
        Memory.putDouble(rest + 8L * j, sum);
        norms[i] += sum * sum;
      }
    }
    int[] chosen = greatest(norms, (int) Math.max(1, Math.round(share * keys.length)));
    return take(keys, lens, each, chosen);
  }

  /** Indices of the greatest numbers, ascending; NaN is greater than all. */
  private static int[] greatest(double[] norms, int count) {
    double[] sorted = norms.clone();
    Arrays.sort(sorted);
    double least = sorted[sorted.length - count];
    int equal = count;
    for (double norm : norms) {
      equal -= Double.compare(norm, least) > 0 ? 1 : 0;
    }
    int[] chosen = new int[count];
    int at = 0;
    for (int i = 0; i < norms.length; i++) {
      int compared = Double.compare(norms[i], least);
      if (compared > 0 || (compared == 0 && equal-- > 0)) {
        chosen[at++] = i;
      }
    }
    return chosen;
  }

  private Selection<A> take(long[] keys, int @Nullable [] lens, int each, int[] chosen) {
    long[] chosenKeys = new long[chosen.length];
    int @Nullable [] chosenLens = lens == null ? null : new int[chosen.length];
    int total = 0;
    for (int i = 0; i < chosen.length; i++) {
      chosenKeys[i] = keys[chosen[i]];
      int length = lens == null ? each : lens[chosen[i]];
      total += length;
      if (chosenLens != null) {
        chosenLens[i] = length;
      }
    }
    A values = type.newArray(total);
    int at = 0;
    for (int i = 0; i < chosen.length; i++) {
      int length = chosenLens == null ? each : chosenLens[i];
      long rest = kept.find(chosenKeys[i]);
      for (int j = 0; j < length; j++) {
        double sum = Memory.getDouble(rest + 8L * j);
        double sent = set(values, at++, sum);
        boolean isFinite = Math.abs(sent) <= Double.MAX_VALUE;
        Memory.putDouble(rest + 8L * j, isFinite ? sum - sent : 0);
      }
    }
    return new Selection<>(chosenKeys, values, chosenLens);
  }

  private double get(A values, int index) {
    return values instanceof float[] floats ? floats[index] : ((double[]) values)[index];
  }

  /** Sets a value; returns it as it was rounded. */
  private double set(A values, int index, double value) {
    if (values instanceof float[] floats) {
      floats[index] = (float) value;
      return floats[index];
    }
    ((double[]) values)[index] = value;
    return value;
  }

  private synchronized void close() {
    closed = true;
    kept.close();
  }
}
