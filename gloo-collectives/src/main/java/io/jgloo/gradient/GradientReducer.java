package io.jgloo.gradient;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.Work;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Averages the gradients of a training step over all ranks, bucket by bucket, while the backward
 * pass goes on.
 *
 * <pre>{@code
 * GradientReducer.Builder builder = GradientReducer.over(group);
 * int weights = builder.register("weights", Payload.of(weightGradient));
 * int bias = builder.register("bias", Payload.of(biasGradient));
 * GradientReducer reducer = builder.build();
 * for (...) {                                   // each step
 *   ... backward pass, last layer first ...
 *   reducer.ready(bias);
 *   reducer.ready(weights);
 *   reducer.finish(Duration.ofSeconds(30));     // now both hold the average
 * }
 * }</pre>
 *
 * <p>Tensors are registered in the order of the forward pass, the same at all ranks; {@link
 * Builder#build} compares names, types and counts between the ranks. Those that come last share the
 * first bucket, and so on backwards; a bucket starts when all its tensors are ready and the bucket
 * before has started, so that all ranks start them in one order, whatever the order in which their
 * tensors get ready. (Li et al., "PyTorch Distributed: Experiences on Accelerating Data Parallel
 * Training", VLDB 2020.) Tensors of different types never share a bucket.
 *
 * <p>Runtimes that allocate gradients in each step register a tensor by type and count, and say
 * with {@link #ready(int, Payload)} where its gradient is. The memory is retained by no step but
 * its own.
 *
 * <p>A bucket whose tensors lie one behind the other off the heap, in the order in which they were
 * registered, is reduced where it lies; others are copied through staging memory.
 *
 * <p>Gradients of several backward passes (micro-batches) are accumulated where they lie, by the
 * passes: only the last one of a step calls {@code ready}. A pass without {@code ready} sends
 * nothing, and ranks may differ in their numbers of passes. The sum is not divided by that number.
 *
 * <p>Gradients can be {@linkplain Builder#compress compressed}. Where ranks have different numbers
 * of steps, a rank that has no more input {@linkplain #join joins}.
 *
 * <p><em>Threads</em>: any may say that a tensor is ready; its gradient is the reducer's from then
 * until {@link #finish} has returned. <em>Fails</em>: like the group's calls. In one file because
 * its builder and enum are nested types that programs name.
 */
public final class GradientReducer {

  /** Bytes of a bucket unless said otherwise, as in PyTorch. */
  public static final long BUCKET_BYTES = 25L << 20;

  /** Bytes of the first bucket unless said otherwise: small, so that the network starts early. */
  public static final long FIRST_BUCKET_BYTES = 1L << 20;

  /** By what gradients are divided for their average while ranks have run out of input. */
  public enum Divisor {
    /** The size of the group: a rank without input counts as one whose gradients are zero. */
    SIZE,
    /** The number of ranks that still have input. */
    ACTIVE
  }

  private final ProcessGroup group;
  private final ReduceOp op;
  private final ReduceOp[] shares; // by divisor, made when needed
  private final @Nullable BiFunction<ProcessGroup, Payload, Work> hook;
  private final @Nullable Divisor divisor;
  private final @Nullable ActiveRanks active; // null if no rank may join
  private final List<Tensor> tensors;
  private final List<Bucket> buckets;
  private final int[] bucketOf;
  private final boolean[] ready;
  private int started;
  private boolean joining;
  private long shadowed; // steps, since this rank joined

  private GradientReducer(Builder builder, List<Bucket> buckets, int[] bucketOf) {
    group = builder.group;
    op = builder.op;
    shares = new ReduceOp[group.size() + 1];
    hook = builder.hook;
    divisor = builder.divisor;
    active = divisor == null ? null : new ActiveRanks(group);
    tensors = List.copyOf(builder.tensors);
    this.buckets = buckets;
    this.bucketOf = bucketOf;
    ready = new boolean[tensors.size()];
  }

  /** Begins to say what is to be reduced. */
  public static Builder over(ProcessGroup group) {
    if (group == null) {
      throw new IllegalArgumentException("group must not be null");
    }
    return new Builder(group);
  }

  /** Says which tensors there are. */
  public static final class Builder {
    private final ProcessGroup group;
    private final List<Tensor> tensors = new ArrayList<>();
    private ReduceOp op = ReduceOp.AVG;
    private long bucketBytes = BUCKET_BYTES;
    private long firstBucketBytes = FIRST_BUCKET_BYTES;
    private @Nullable DataType narrow;
    private @Nullable Divisor divisor;
    private @Nullable BiFunction<ProcessGroup, Payload, Work> hook;

    private Builder(ProcessGroup group) {
      this.group = group;
    }

    /** How gradients are combined; averaged unless said. */
    public Builder op(ReduceOp op) {
      if (op == null) {
        throw new IllegalArgumentException("op must not be null");
      }
      this.op = op;
      return this;
    }

    /**
     * How large buckets become; one tensor is never divided, and a larger one has a bucket to
     * itself.
     *
     * @param bytes of every bucket but the first; all ranks must say the same
     * @param firstBytes of the first bucket to start
     */
    public Builder bucketBytes(long bytes, long firstBytes) {
      if (bytes < 1 || firstBytes < 1) {
        throw new IllegalArgumentException(
            "bucket bytes must be positive, but are " + bytes + " and " + firstBytes);
      }
      bucketBytes = bytes;
      firstBucketBytes = firstBytes;
      return this;
    }

    /**
     * Sends gradients of float32 as bfloat16 or float16, half the bytes, as PyTorch's hooks {@code
     * bf16_compress_hook} and {@code fp16_compress_hook} do; other types are sent as they are. Each
     * gradient is rounded, divided by the number of ranks if the op is {@link ReduceOp#AVG}, and
     * then added in the narrow type, which rounds each sum; the result is converted back. Dividing
     * first keeps the sums small, but a float16 over 65504 is infinite and makes its average
     * infinite: scale the loss. All ranks get the same bits, and must name the same type.
     *
     * @param type FLOAT16 or BFLOAT16
     * @throws IllegalArgumentException if it is another type
     */
    public Builder compress(DataType type) {
      if (type != DataType.FLOAT16 && type != DataType.BFLOAT16) {
        throw new IllegalArgumentException("type must be FLOAT16 or BFLOAT16, but is " + type);
      }
      narrow = type;
      return this;
    }

    /**
     * Replaces the allreduce of each bucket, as PyTorch's {@code register_comm_hook} does. All
     * ranks must do the same; the order of buckets is the same at all.
     *
     * @param hook begins the reduction of a bucket of this rank, in place, and returns its work; it
     *     also divides what is to be an average. With {@link #compress} the bucket is narrowed. It
     *     is called under the lock of the reducer and must not wait for another rank
     */
    public Builder bucketHook(BiFunction<ProcessGroup, Payload, Work> hook) {
      if (hook == null) {
        throw new IllegalArgumentException("hook must not be null");
      }
      this.hook = hook;
      return this;
    }

    /**
     * Lets ranks run out of input before others and {@link GradientReducer#join}. Each step has one
     * more allreduce then, of 4 bytes, begun at the first {@code ready} of the step. All ranks must
     * say the same.
     *
     * @param divisor what an average is divided by. With ACTIVE the first bucket of a step starts
     *     when all ranks have begun the step, and {@code ready} waits for that
     */
    public Builder joinable(Divisor divisor) {
      if (divisor == null) {
        throw new IllegalArgumentException("divisor must not be null");
      }
      this.divisor = divisor;
      return this;
    }

    /**
     * Adds the next tensor of the forward pass.
     *
     * @param name for messages
     * @param gradient where its gradient will be, at every step
     * @return its number, by which it is called ready
     */
    public int register(String name, Payload gradient) {
      if (name == null || gradient == null) {
        throw new IllegalArgumentException("name and gradient must not be null");
      }
      return add(new Tensor(name, gradient.type(), gradient.count(), gradient));
    }

    /**
     * Adds the next tensor of the forward pass, whose gradient is in other memory in each step: for
     * runtimes that allocate it. {@link GradientReducer#ready(int, Payload)} says where it is.
     *
     * @param name for messages
     * @param type of its elements
     * @param count of its elements, 0 or more, the same in each step
     * @return its number, by which it is called ready
     */
    public int register(String name, DataType type, long count) {
      if (name == null || type == null) {
        throw new IllegalArgumentException("name and type must not be null");
      }
      if (count < 0) {
        throw new IllegalArgumentException("count must not be negative, but is " + count);
      }
      return add(new Tensor(name, type, count, null));
    }

    private int add(Tensor tensor) {
      if (!op.appliesTo(tensor.type())) {
        throw new IllegalArgumentException(
            "gradient " + tensor + " has a type on which " + op + " has no meaning");
      }
      tensors.add(tensor);
      return tensors.size() - 1;
    }

    /**
     * Divides the tensors into buckets. Compares them with those of the other ranks, by calls of
     * the group: all ranks build their reducers in one order with its other calls.
     *
     * @throws IllegalArgumentException if there is no tensor, or two overlap in a bucket; if ranks
     *     may join and the op is no sum or average, or a type cannot be divided by ACTIVE; if there
     *     is a bucket hook, and ranks may join
     * @throws io.jgloo.transport.MismatchException at all ranks if a rank has registered other
     *     tensors, in another order, or said something else that must be the same; names the first
     *     difference. The group lives on
     * @throws JGlooException if the group has failed
     */
    public GradientReducer build() {
      if (tensors.isEmpty()) {
        throw new IllegalArgumentException("no tensor is registered");
      }
      if (divisor != null) {
        checkJoinable();
      }
      List<Bucket> buckets = new ArrayList<>();
      int[] bucketOf = new int[tensors.size()];
      int end = tensors.size();
      while (end > 0) {
        int first = first(end, buckets.isEmpty() ? firstBucketBytes : bucketBytes);
        Arrays.fill(bucketOf, first, end, buckets.size());
        buckets.add(new Bucket(first, tensors.subList(first, end), narrow));
        end = first;
      }
      new Agreement(group, "register unlike gradients", description()).check();
      return new GradientReducer(this, List.copyOf(buckets), bucketOf);
    }

    /** What all ranks must say alike, line by line. */
    private List<String> description() {
      List<String> lines = new ArrayList<>();
      lines.add("op " + op);
      lines.add("buckets of " + bucketBytes + " bytes, the first of " + firstBucketBytes);
      lines.add(narrow == null ? "no compression" : "compression to " + narrow);
      lines.add(divisor == null ? "ranks cannot join" : "ranks can join, divisor " + divisor);
      lines.add(hook == null ? "no bucket hook" : "a bucket hook");
      for (int each = 0; each < tensors.size(); each++) {
        lines.add("tensor " + each + " is " + tensors.get(each));
      }
      return lines;
    }

    private void checkJoinable() {
      if (hook != null) {
        throw new IllegalArgumentException(
            "ranks cannot join with a bucket hook, which does not know how many are active");
      }
      if (!op.equals(ReduceOp.SUM) && !op.averages() && op.factor().isEmpty()) {
        throw new IllegalArgumentException(
            "ranks can join sums and averages only: zeros change the result of op " + op);
      }
      for (Tensor tensor : tensors) {
        if (op.averages() && divisor == Divisor.ACTIVE && !share(1).appliesTo(tensor.type())) {
          throw new IllegalArgumentException(
              "gradient " + tensor + " is no float: use Divisor.SIZE or op SUM");
        }
      }
    }

    /** The first tensor of the bucket that ends before one. */
    private int first(int end, long capacity) {
      int first = end - 1;
      long bytes = tensors.get(first).bytes();
      while (first > 0
          && tensors.get(first - 1).type() == tensors.get(first).type()
          && bytes + tensors.get(first - 1).bytes() <= capacity) {
        first--;
        bytes += tensors.get(first).bytes();
      }
      return first;
    }
  }

  /** How many buckets there are. */
  public int buckets() {
    return buckets.size();
  }

  /**
   * Whether a bucket is copied through staging memory; the first is the one that starts first.
   *
   * @throws IllegalStateException if memory of the bucket is not known: a tensor was registered
   *     without, and is not ready in this step
   */
  public synchronized boolean isStaged(int bucket) {
    Payload payload = buckets.get(bucket).payload;
    if (payload == null) {
      throw new IllegalStateException("the memory of bucket " + bucket + " is not known yet");
    }
    return payload.staged();
  }

  /**
   * The gradient of a tensor is complete; starts whatever can start now. A tensor that has none in
   * this step must be zeroed and called ready too.
   *
   * @throws IllegalArgumentException if there is no such tensor
   * @throws IllegalStateException if it is ready already, or was registered without memory
   * @throws JGlooException if the group has failed
   */
  public synchronized void ready(int tensor) {
    checkUnready(tensor);
    if (tensors.get(tensor).memory() == null) {
      throw new IllegalStateException(
          "tensor "
              + tensors.get(tensor)
              + " was registered without memory: use ready(tensor, ...)");
    }
    noteReady(tensor);
  }

  /**
   * The gradient of a tensor is complete and lies here, in this step only; starts whatever can
   * start now. The memory belongs to the reducer until {@link #finish} has returned, and holds the
   * result then.
   *
   * @param gradient of the type and count that were registered
   * @throws IllegalArgumentException if there is no such tensor, the gradient has another type or
   *     count, or the memory overlaps that of another tensor of the bucket; the tensor is not ready
   * @throws IllegalStateException if it is ready already
   * @throws JGlooException if the group has failed
   */
  public synchronized void ready(int tensor, Payload gradient) {
    checkUnready(tensor);
    Tensor wanted = tensors.get(tensor);
    if (gradient == null
        || gradient.type() != wanted.type()
        || gradient.count() != wanted.count()) {
      throw new IllegalArgumentException("gradient of " + wanted + " must not be " + gradient);
    }
    buckets.get(bucketOf[tensor]).replace(tensor, gradient);
    noteReady(tensor);
  }

  private void checkUnready(int tensor) {
    if (tensor < 0 || tensor >= ready.length) {
      throw new IllegalArgumentException(
          "tensor must be 0 to " + (ready.length - 1) + ", but is " + tensor);
    }
    if (joining) {
      throw new IllegalStateException(
          "tensor " + tensors.get(tensor).name() + " is ready, but this rank has joined");
    }
    if (ready[tensor]) {
      throw new IllegalStateException(
          "tensor " + tensors.get(tensor).name() + " is ready twice in one step");
    }
  }

  private void noteReady(int tensor) {
    Bucket of = buckets.get(bucketOf[tensor]);
    if (of.waiting == 1) {
      of.joined(); // before anything changes
    }
    if (active != null) {
      active.begin(true);
    }
    ready[tensor] = true;
    of.waiting--;
    while (started < buckets.size() && buckets.get(started).waiting == 0) {
      Bucket bucket = buckets.get(started);
      start(bucket, bucket.joined());
    }
  }

  private void start(Bucket bucket, Payload payload) {
    bucket.work =
        hook == null
            ? group.async().allreduce(payload, op(bucket))
            : Objects.requireNonNull(hook.apply(group, payload), "the bucket hook's work");
    started++;
  }

  /** Narrow elements are divided before they are added, those of all ranks at the end. */
  private ReduceOp op(Bucket bucket) {
    if (!op.averages()) {
      return op;
    }
    int ranks = active != null && divisor == Divisor.ACTIVE ? active.await() : group.size();
    if (ranks == group.size() && !bucket.isNarrow()) {
      return op;
    }
    if (shares[ranks] == null) {
      shares[ranks] = share(ranks);
    }
    return shares[ranks];
  }

  private static ReduceOp share(int ranks) {
    return ReduceOp.premulSum(1.0 / ranks);
  }

  /**
   * Waits until all gradients are reduced, and begins the next step.
   *
   * @param timeout for what is not reduced yet; when it is over the calls go on, bounded by their
   *     own timeouts, and this may be called again
   * @throws IllegalStateException if a tensor is not ready; nothing is lost, and this may be called
   *     again when it is
   * @throws io.jgloo.transport.OperationTimeoutException if the time is not enough; names the ranks
   *     that are awaited
   * @throws JGlooException if the group has failed
   */
  public synchronized void finish(Duration timeout) {
    checkTimeout(timeout);
    if (joining || started < buckets.size()) {
      throw new IllegalStateException("not ready in this step: " + tensors(false));
    }
    endStep(timeout);
  }

  private static void checkTimeout(Duration timeout) {
    if (timeout == null || timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative, but is " + timeout);
    }
  }

  /** Waits for all buckets, which have started. */
  private void endStep(Duration timeout) {
    long start = System.nanoTime();
    if (active != null) {
      active.await(timeout);
    }
    for (Bucket bucket : buckets) {
      Duration left = timeout.minusNanos(System.nanoTime() - start);
      bucket.work.await(left.isNegative() ? Duration.ZERO : left);
    }
    buckets.forEach(Bucket::reset);
    Arrays.fill(ready, false);
    started = 0;
    if (active != null) {
      active.end();
    }
  }

  /**
   * Takes part in the steps of the other ranks, with gradients of zero, until every rank has called
   * this: for a rank that has no more input. No memory of a gradient is read or written. Then the
   * reducer may be used again, as for the next epoch.
   *
   * <p>The parameters of a rank that joined early have missed the last steps. Those of the rank
   * that is returned have not, as in {@code group.broadcast(parameters, reducer.join(timeout))}.
   *
   * <p>A call of this rank lasts as long as the longest step of another one; the timeout of the
   * group bounds it, too.
   *
   * @param timeout for each step of the others; when it is over the step goes on, and this may be
   *     called again
   * @return the highest of the ranks that joined last, the same at all ranks
   * @throws IllegalStateException if no rank may join ({@link Builder#joinable}), or a tensor is
   *     ready and {@link #finish} was not called
   * @throws io.jgloo.transport.OperationTimeoutException if the time is not enough; names the ranks
   *     that are awaited
   * @throws JGlooException if the group has failed
   */
  public synchronized int join(Duration timeout) {
    checkTimeout(timeout);
    if (active == null) {
      throw new IllegalStateException("ranks cannot join: build the reducer with joinable(...)");
    }
    if (!joining && tensors(false).size() < ready.length) {
      throw new IllegalStateException("ready, but finish was not called: " + tensors(true));
    }
    joining = true;
    while (isAnyActive(active, timeout)) {
      while (started < buckets.size()) {
        Bucket bucket = buckets.get(started);
        start(bucket, bucket.zeros());
      }
      endStep(timeout);
      shadowed++;
    }
    active.end();
    int[] last = {shadowed == 0 ? group.rank() : -1};
    group.allreduce(last, ReduceOp.MAX);
    joining = false;
    shadowed = 0;
    return last[0];
  }

  private static boolean isAnyActive(ActiveRanks active, Duration timeout) {
    active.begin(false);
    return active.await(timeout) > 0;
  }

  /** Names of the tensors that are ready in this step, or are not. */
  private List<String> tensors(boolean areReady) {
    List<String> names = new ArrayList<>();
    for (int tensor = 0; tensor < ready.length; tensor++) {
      if (ready[tensor] == areReady) {
        names.add(tensors.get(tensor).name());
      }
    }
    return names;
  }
}
