package io.jgloo.bench.foreign;

import io.jgloo.collectives.DataType;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.AllToAllOptions;
import org.bytedeco.pytorch.AllgatherOptions;
import org.bytedeco.pytorch.AllreduceOptions;
import org.bytedeco.pytorch.BarrierOptions;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.GatherOptions;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.LongVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.ReduceOp;
import org.bytedeco.pytorch.ReduceOptions;
import org.bytedeco.pytorch.ReduceScatterOptions;
import org.bytedeco.pytorch.ScatterOptions;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;
import org.bytedeco.pytorch.global.torch;

/**
 * A rank of PyTorch's ProcessGroupGloo that runs the same cases, on tensors over our memory.
 *
 * <p>Owns: the native group, which lives to the end of the process: when groups were closed, the
 * native heap was found corrupted. Fails: {@link RuntimeException} with PyTorch's message.
 */
final class GenuineRank {
  private static final List<Object> ALIVE = Collections.synchronizedList(new ArrayList<>());

  private final ProcessGroupGloo group;
  private final int rank;
  private final int size;
  private final Duration timeout;
  private final List<ByteBuffer> held = new ArrayList<>();

  GenuineRank(Store store, int rank, int size, Duration timeout) {
    this.rank = rank;
    this.size = size;
    this.timeout = timeout;
    ProcessGroupGloo.Options options = ProcessGroupGloo.Options.create(millis());
    options.devices(new GlooDeviceVector(ProcessGroupGloo.createDeviceForHostname("127.0.0.1")));
    group = new ProcessGroupGloo(store, rank, size, options);
    ALIVE.addAll(List.of(group, store, options));
  }

  private Milliseconds millis() {
    return new Milliseconds(timeout.toMillis());
  }

  /** Runs a plan; returns each case's output as it would be in a dump. */
  List<List<ByteBuffer>> run(List<Case> plan) {
    List<List<ByteBuffer>> outputs = new ArrayList<>();
    for (Case each : plan) {
      outputs.add(run(each));
      held.clear();
    }
    await(group.barrier(new BarrierOptions())); // none leaves while another may still need it
    return outputs;
  }

  private List<ByteBuffer> run(Case each) {
    List<ByteBuffer> kept = new ArrayList<>();
    int count = each.count();
    switch (each.operation()) {
      case "barrier" -> await(group.barrier(new BarrierOptions()));
      case "monitoredBarrier" ->
          group.monitoredBarrier(new BarrierOptions().timeout(millis()), false);
      case "broadcast" -> {
        ByteBuffer x = keep(kept, isRoot(each) ? input(each, count) : output(each, count));
        BroadcastOptions options = new BroadcastOptions().rootRank(each.root());
        await(group.broadcast(tensors(each, x), options));
      }
      case "allreduce" -> {
        ByteBuffer x = keep(kept, input(each, count));
        AllreduceOptions options = new AllreduceOptions().reduceOp(op(each));
        await(group.allreduce(tensors(each, x), options));
      }
      case "reduce" -> {
        ByteBuffer x = input(each, count);
        ReduceOptions options = new ReduceOptions().rootRank(each.root()).reduceOp(op(each));
        await(group.reduce(tensors(each, x), options));
        if (isRoot(each)) {
          kept.add(x); // the others' hold what was on its way
        }
      }
      case "reduceScatter" -> {
        ByteBuffer out = keep(kept, output(each, count));
        Tensor in = tensor(each, input(each, count * size));
        ReduceScatterOptions options = new ReduceScatterOptions().reduceOp(op(each));
        await(group._reduce_scatter_base(tensor(each, out), in, options));
      }
      case "sendRecv" -> sendRecv(each, kept);
      case "recvAny" -> recvAny(each, kept);
      default -> block(each, kept);
    }
    return kept;
  }

  private void block(Case each, List<ByteBuffer> kept) {
    int count = each.count();
    switch (each.operation()) {
      case "allgather" -> {
        ByteBuffer out = keep(kept, output(each, count * size));
        Tensor in = tensor(each, input(each, count));
        await(group._allgather_base(tensor(each, out), in, new AllgatherOptions()));
      }
      case "gather" -> {
        TensorVector out = new TensorVector();
        if (isRoot(each)) {
          out = blocks(each, keep(kept, output(each, count * size)));
        }
        GatherOptions options = new GatherOptions().rootRank(each.root());
        TensorVector in = tensors(each, input(each, count));
        await(group.gather(lists(out), in, options));
      }
      case "scatter" -> {
        TensorVector in = new TensorVector();
        if (isRoot(each)) {
          in = blocks(each, input(each, count * size));
        }
        TensorVector out = tensors(each, keep(kept, output(each, count)));
        ScatterOptions options = new ScatterOptions().rootRank(each.root());
        await(group.scatter(out, lists(in), options));
      }
      case "alltoall" -> {
        Tensor out = tensor(each, keep(kept, output(each, count * size)));
        Tensor in = tensor(each, input(each, count * size));
        LongVector even = new LongVector();
        await(group.alltoall_base(out, in, even, even, new AllToAllOptions()));
      }
      case "alltoallv" -> {
        long[] sent = Parts.sent(count, rank, size);
        long[] received = Parts.received(count, rank, size);
        Tensor out = tensor(each, keep(kept, output(each, Parts.total(received))));
        Tensor in = tensor(each, input(each, Parts.total(sent)));
        LongVector to = new LongVector(sent);
        LongVector from = new LongVector(received);
        await(group.alltoall_base(out, in, from, to, new AllToAllOptions()));
      }
      default -> throw new IllegalArgumentException("no operation " + each.operation());
    }
  }

  private void sendRecv(Case each, List<ByteBuffer> kept) {
    int slot = (int) each.number("slot", 1 << 20);
    ByteBuffer out = keep(kept, output(each, each.count()));
    Work sent = group.send(tensors(each, input(each, each.count())), (rank + 1) % size, slot);
    await(group.recv(tensors(each, out), (rank + size - 1) % size, slot));
    await(sent);
  }

  private void recvAny(Case each, List<ByteBuffer> kept) {
    int slot = (int) each.number("slot", 1 << 21);
    if (!isRoot(each)) {
      await(group.send(tensors(each, input(each, each.count())), each.root(), slot));
      return;
    }
    ByteBuffer[] heard = new ByteBuffer[size];
    for (int i = 0; i < size - 1; i++) {
      ByteBuffer one = output(each, each.count());
      Work work = group.recvAnysource(tensors(each, one), slot);
      await(work);
      heard[work.sourceRank()] = one;
    }
    heard[rank] = ByteBuffer.allocate(0);
    kept.addAll(List.of(heard));
  }

  private boolean isRoot(Case each) {
    return each.root() == rank;
  }

  private ByteBuffer input(Case each, int count) {
    return Filling.of(each, rank, 0, count);
  }

  private static ByteBuffer output(Case each, int count) {
    return Filling.empty(each, count);
  }

  private static ByteBuffer keep(List<ByteBuffer> kept, ByteBuffer bytes) {
    kept.add(bytes);
    return bytes;
  }

  /** A tensor over the buffer itself, which no other code holds while PyTorch works on it. */
  private Tensor tensor(Case each, ByteBuffer bytes) {
    held.add(bytes);
    long[] shape = {bytes.capacity() / each.type().bytes()};
    return torch.from_blob(new BytePointer(bytes), shape, new TensorOptions(scalar(each.type())));
  }

  private TensorVector tensors(Case each, ByteBuffer bytes) {
    return new TensorVector(tensor(each, bytes));
  }

  /** One tensor for each rank, side by side in the buffer. */
  private TensorVector blocks(Case each, ByteBuffer bytes) {
    Tensor[] blocks = new Tensor[size];
    Tensor all = tensor(each, bytes);
    for (int i = 0; i < size; i++) {
      blocks[i] = all.narrow(0, (long) i * each.count(), each.count());
    }
    return new TensorVector(blocks);
  }

  /** The binding takes lists of lists as an array of vectors: none, or this one. */
  private static TensorVector lists(TensorVector inner) {
    return inner.size() == 0 ? new TensorVector(0L).limit(0) : inner;
  }

  private static torch.ScalarType scalar(DataType type) {
    return switch (type) {
      case INT8 -> torch.ScalarType.Char;
      case UINT8 -> torch.ScalarType.Byte;
      case INT32 -> torch.ScalarType.Int;
      case INT64 -> torch.ScalarType.Long;
      case FLOAT16 -> torch.ScalarType.Half;
      case BFLOAT16 -> torch.ScalarType.BFloat16;
      case FLOAT32 -> torch.ScalarType.Float;
      case FLOAT64 -> torch.ScalarType.Double;
      case BOOL -> torch.ScalarType.Bool;
      default -> throw new IllegalArgumentException("type = " + type);
    };
  }

  private static ReduceOp op(Case each) {
    String name = each.text("reduce", "sum");
    return new ReduceOp(
        switch (name) {
          case "sum" -> ReduceOp.RedOpType.SUM;
          case "product" -> ReduceOp.RedOpType.PRODUCT;
          case "min" -> ReduceOp.RedOpType.MIN;
          case "max" -> ReduceOp.RedOpType.MAX;
          case "band" -> ReduceOp.RedOpType.BAND;
          case "bor" -> ReduceOp.RedOpType.BOR;
          case "bxor" -> ReduceOp.RedOpType.BXOR;
          case "avg" -> ReduceOp.RedOpType.AVG;
          default -> throw new IllegalArgumentException("reduce=" + name);
        });
  }

  private static void await(Work work) {
    if (!work._wait()) {
      throw new IllegalStateException("PyTorch's work ended without success");
    }
  }
}
