package io.jgloo;

import io.jgloo.collectives.ReduceOp;
import io.jgloo.collectives.Retainable;
import io.jgloo.collectives.execution.Staged;
import io.jgloo.collectives.kernel.Kernels;
import io.jgloo.transport.Reduction;
import io.jgloo.transport.memory.Memory;
import java.util.List;
import java.util.stream.Stream;

/**
 * One rank's several vectors, as the one that takes part in an allreduce: what is loaded is reduced
 * over the inputs, what is stored goes to all outputs.
 *
 * <p>So the local work is done block by block while messages are under way, and no collective needs
 * to know of it.
 *
 * <p><em>Threads</em>: one at a time.
 */
final class SeveralMemory implements Staged, Retainable {

  private final Payload[] inputs;
  private final Payload[] outputs;
  private final Payload[] all;
  private final Reduction kernel;

  private SeveralMemory(List<Payload> inputs, List<Payload> outputs, Reduction kernel) {
    this.inputs = inputs.toArray(Payload[]::new);
    this.outputs = outputs.toArray(Payload[]::new);
    all = Stream.concat(inputs.stream(), outputs.stream()).toArray(Payload[]::new);
    this.kernel = kernel;
  }

  /** See {@link ProcessGroup#allreduce(List, List, ReduceOp)}. */
  static Payload of(List<Payload> inputs, List<Payload> outputs, ReduceOp op) {
    Payload first = Arguments.present("inputs", inputs).isEmpty() ? null : inputs.get(0);
    if (first == null || Arguments.present("outputs", outputs).isEmpty()) {
      throw new IllegalArgumentException("inputs and outputs must not be empty");
    }
    Arguments.present("op", op);
    if (op.averages() && inputs.size() > 1) {
      throw new IllegalArgumentException(
          ("op avg of " + inputs.size() + " inputs at a rank leaves open what to divide by; say it")
              + " with premulSum(1.0 / divisor)");
    }
    alike("inputs", inputs, first);
    alike("outputs", outputs, first);
    apart(inputs, outputs);
    Reduction kernel = Kernels.of(first.type(), op);
    return new Payload(first.type(), first.count(), new SeveralMemory(inputs, outputs, kernel));
  }

  private static void alike(String name, List<Payload> list, Payload first) {
    for (int i = 0; i < list.size(); i++) {
      Payload each = Arguments.present(name + "[" + i + "]", list.get(i));
      if (each.type() != first.type() || each.count() != first.count()) {
        throw new IllegalArgumentException(
            name + "[" + i + "] must be as inputs[0], " + first + ", but is " + each);
      }
    }
  }

  /** A block is stored when all of it has been loaded, so an output may be an input, but wholly. */
  private static void apart(List<Payload> inputs, List<Payload> outputs) {
    for (int i = 0; i < outputs.size(); i++) {
      Payload output = outputs.get(i);
      for (int before = 0; before < i; before++) {
        refuse(output.overlaps(outputs.get(before)), i, "outputs[" + before + "]");
      }
      for (int j = 0; j < inputs.size(); j++) {
        Payload input = inputs.get(j);
        refuse(output.overlaps(input) && !output.isSameAs(input), i, "part of inputs[" + j + "]");
      }
    }
  }

  private static void refuse(boolean overlap, int output, String other) {
    if (overlap) {
      throw new IllegalArgumentException("outputs[" + output + "] must not overlap " + other);
    }
  }

  @Override
  public boolean changesWhatPasses() {
    return true;
  }

  @Override
  public void retain() {
    Payload.retain(all);
  }

  @Override
  public void release() {
    Payload.release(all);
  }

  @Override
  public void load(long offset, long target, long bytes) {
    inputs[0].region().load(offset, target, bytes);
    long stage = 0;
    try {
      for (int i = 1; i < inputs.length; i++) {
        long source = inputs[i].region().address() + offset;
        if (inputs[i].staged()) {
          stage = stage == 0 ? Memory.allocate(bytes, Memory.CACHE_LINE) : stage;
          inputs[i].region().load(offset, stage, bytes);
          source = stage;
        }
        kernel.reduce(target, source, bytes);
      }
    } finally {
      if (stage != 0) {
        Memory.free(stage);
      }
    }
  }

  @Override
  public void store(long source, long offset, long bytes) {
    for (Payload output : outputs) {
      output.region().store(source, offset, bytes);
    }
  }

  @Override
  public String toString() {
    return inputs.length + " inputs and " + outputs.length + " outputs";
  }
}
