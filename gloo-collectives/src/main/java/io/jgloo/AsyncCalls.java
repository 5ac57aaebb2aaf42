package io.jgloo;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.execution.Call;
import io.jgloo.collectives.execution.Executor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a {@link ProcessGroup} by the same names, which return when they have started.
 *
 * <p>Each takes the arguments of the blocking call, whose description holds here too. The memory
 * belongs to the call until its {@link Work} is done.
 *
 * <p><em>Threads</em>: as the group's. <em>Owns</em>: nothing; it is the group seen in another way.
 * <em>Fails</em>: {@link IllegalArgumentException} as the blocking call; {@link
 * io.jgloo.transport.JGlooException} at the start if the group has failed before, and from the
 * {@link Work} otherwise.
 */
public final class AsyncCalls {

  private final Executor executor;
  private final CallMaker calls;
  private final Messages messages;

  AsyncCalls(Executor executor, CallMaker calls, Messages messages) {
    this.executor = executor;
    this.calls = calls;
    this.messages = messages;
  }

  /** Starts {@link ProcessGroup#barrier()}. */
  public Work barrier() {
    return start(calls.bare(Collective.BARRIER, DataType.INT8, null, 0, 0));
  }

  /** Starts {@link ProcessGroup#allreduce(Payload, ReduceOp)}. */
  public Work allreduce(Payload x, ReduceOp op) {
    return start(calls.alike(Collective.ALLREDUCE, null, x, op));
  }

  /** Starts {@link ProcessGroup#allreduce(Payload, Payload, ReduceOp)}. */
  public Work allreduce(Payload input, Payload output, ReduceOp op) {
    return start(calls.alike(Collective.ALLREDUCE, CallMaker.given(input), output, op));
  }

  /** Starts {@link ProcessGroup#allreduce(List, ReduceOp)}. */
  public Work allreduce(List<Payload> x, ReduceOp op) {
    return start(calls.alike(Collective.ALLREDUCE, null, SeveralMemory.of(x, x, op), op));
  }

  /** Starts {@link ProcessGroup#allreduce(List, List, ReduceOp)}. */
  public Work allreduce(List<Payload> inputs, List<Payload> outputs, ReduceOp op) {
    return start(
        calls.alike(Collective.ALLREDUCE, null, SeveralMemory.of(inputs, outputs, op), op));
  }

  /** Starts {@link ProcessGroup#allreduceCoalesced}. */
  public Work allreduceCoalesced(List<Payload> x, ReduceOp op) {
    return start(calls.alike(Collective.ALLREDUCE, null, Payload.ofAll(x), op));
  }

  /** Starts {@link ProcessGroup#reduce(Payload, ReduceOp, int)}. */
  public Work reduce(Payload x, ReduceOp op, int root) {
    return start(calls.reduce(null, x, op, root));
  }

  /** Starts {@link ProcessGroup#reduce(Payload, Payload, ReduceOp, int)}. */
  public Work reduce(Payload input, @Nullable Payload output, ReduceOp op, int root) {
    return start(calls.reduce(CallMaker.given(input), output, op, root));
  }

  /** Starts {@link ProcessGroup#reduceScatter(Payload, ReduceOp)}. */
  public Work reduceScatter(Payload x, ReduceOp op) {
    return start(calls.reduceScatter(null, x, op));
  }

  /** Starts {@link ProcessGroup#reduceScatter(Payload, Payload, ReduceOp)}. */
  public Work reduceScatter(Payload input, Payload output, ReduceOp op) {
    return start(calls.reduceScatter(CallMaker.given(input), output, op));
  }

  /** Starts {@link ProcessGroup#reduceScatterv(Payload, long[], ReduceOp)}. */
  public Work reduceScatterv(Payload x, long[] counts, ReduceOp op) {
    return start(calls.reduceScatterv(null, x, counts, op));
  }

  /** Starts {@link ProcessGroup#reduceScatterv(Payload, Payload, long[], ReduceOp)}. */
  public Work reduceScatterv(Payload input, Payload output, long[] counts, ReduceOp op) {
    return start(calls.reduceScatterv(CallMaker.given(input), output, counts, op));
  }

  /** Starts {@link ProcessGroup#scan(Payload, ReduceOp)}. */
  public Work scan(Payload x, ReduceOp op) {
    return start(calls.alike(Collective.SCAN, null, x, op));
  }

  /** Starts {@link ProcessGroup#scan(Payload, Payload, ReduceOp)}. */
  public Work scan(Payload input, Payload output, ReduceOp op) {
    return start(calls.alike(Collective.SCAN, CallMaker.given(input), output, op));
  }

  /** Starts {@link ProcessGroup#exscan(Payload, ReduceOp)}. */
  public Work exscan(Payload x, ReduceOp op) {
    return start(calls.alike(Collective.EXSCAN, null, x, op));
  }

  /** Starts {@link ProcessGroup#exscan(Payload, Payload, ReduceOp)}. */
  public Work exscan(Payload input, Payload output, ReduceOp op) {
    return start(calls.alike(Collective.EXSCAN, CallMaker.given(input), output, op));
  }

  /** Starts {@link ProcessGroup#broadcast(Payload, int)}. */
  public Work broadcast(Payload x, int root) {
    return start(calls.broadcast(null, x, root));
  }

  /** Starts {@link ProcessGroup#broadcast(Payload, Payload, int)}. */
  public Work broadcast(@Nullable Payload input, Payload output, int root) {
    return start(calls.broadcast(calls.atRoot(input, root), output, root));
  }

  /** Starts {@link ProcessGroup#scatter(Payload, int)}. */
  public Work scatter(Payload x, int root) {
    return start(calls.scatter(null, x, root));
  }

  /** Starts {@link ProcessGroup#scatter(Payload, Payload, int)}. */
  public Work scatter(@Nullable Payload input, Payload output, int root) {
    return start(calls.scatter(calls.atRoot(input, root), output, root));
  }

  /** Starts {@link ProcessGroup#scatterv(Payload, long[], int)}. */
  public Work scatterv(Payload x, long[] counts, int root) {
    return start(calls.scatterv(null, x, counts, root));
  }

  /** Starts {@link ProcessGroup#scatterv(Payload, Payload, long[], int)}. */
  public Work scatterv(@Nullable Payload input, Payload output, long[] counts, int root) {
    return start(calls.scatterv(calls.atRoot(input, root), output, counts, root));
  }

  /** Starts {@link ProcessGroup#allgather(Payload)}. */
  public Work allgather(Payload x) {
    return start(calls.allgather(null, x));
  }

  /** Starts {@link ProcessGroup#allgather(Payload, Payload)}. */
  public Work allgather(Payload input, Payload output) {
    return start(calls.allgather(CallMaker.given(input), output));
  }

  /** Starts {@link ProcessGroup#allgatherv(Payload, long[])}. */
  public Work allgatherv(Payload x, long[] counts) {
    return start(calls.allgatherv(null, x, counts));
  }

  /** Starts {@link ProcessGroup#allgatherv(Payload, Payload, long[])}. */
  public Work allgatherv(Payload input, Payload output, long[] counts) {
    return start(calls.allgatherv(CallMaker.given(input), output, counts));
  }

  /** Starts {@link ProcessGroup#gather(Payload, int)}. */
  public Work gather(Payload x, int root) {
    return start(calls.gather(null, x, root));
  }

  /** Starts {@link ProcessGroup#gather(Payload, Payload, int)}. */
  public Work gather(Payload input, @Nullable Payload output, int root) {
    return start(calls.gather(CallMaker.given(input), output, root));
  }

  /** Starts {@link ProcessGroup#gatherv(Payload, long[], int)}. */
  public Work gatherv(Payload x, long[] counts, int root) {
    return start(calls.gatherv(null, x, counts, root));
  }

  /** Starts {@link ProcessGroup#gatherv(Payload, Payload, long[], int)}. */
  public Work gatherv(Payload input, @Nullable Payload output, long[] counts, int root) {
    return start(calls.gatherv(CallMaker.given(input), output, counts, root));
  }

  /** Starts {@link ProcessGroup#alltoall(Payload)}. */
  public Work alltoall(Payload x) {
    return start(calls.alltoall(null, x));
  }

  /** Starts {@link ProcessGroup#alltoall(Payload, Payload)}. */
  public Work alltoall(Payload input, Payload output) {
    return start(calls.alltoall(CallMaker.given(input), output));
  }

  /** Starts {@link ProcessGroup#alltoallv(Payload, long[])}. */
  public Work alltoallv(Payload x, long[] counts) {
    return start(calls.alltoallv(null, counts, x, counts));
  }

  /** Starts {@link ProcessGroup#alltoallv(Payload, long[], Payload, long[])}. */
  public Work alltoallv(Payload input, long[] sent, Payload output, long[] received) {
    return start(calls.alltoallv(CallMaker.given(input), sent, output, received));
  }

  /** Starts {@link ProcessGroup#send}. */
  public Work send(Payload x, int peer, long tag) {
    return messages.startSend(x, peer, tag);
  }

  /** Starts {@link ProcessGroup#recv}. */
  public Work recv(Payload x, int peer, long tag) {
    return messages.startRecv(x, peer, tag);
  }

  /** Starts {@link ProcessGroup#sendRecv}. */
  public Work sendRecv(Payload sent, int to, Payload received, int from, long tag) {
    return messages.startSendRecv(sent, to, received, from, tag);
  }

  private Work start(Call call) {
    Work work = new Work(executor.start(call));
    calls.recycle(call);
    return work;
  }
}
