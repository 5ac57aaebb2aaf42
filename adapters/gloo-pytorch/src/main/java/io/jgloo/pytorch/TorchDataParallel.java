package io.jgloo.pytorch;

import static org.bytedeco.pytorch.global.torch.zeros_like;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.gradient.DataParallel;
import io.jgloo.transport.JGlooException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.StringTensorDict;
import org.bytedeco.pytorch.StringTensorDictItem;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.VoidTensorHook;
import org.jspecify.annotations.Nullable;

/**
 * Averages the gradients of a PyTorch module over all ranks, while the backward pass goes on.
 *
 * <pre>{@code
 * TorchDataParallel parallel = TorchDataParallel.of(group, net, builder -> {});
 * for (...) {
 *   optimizer.zero_grad();
 *   loss(net.forward(inputs), targets).backward();
 *   parallel.finish(Duration.ofSeconds(60));
 *   optimizer.step();
 * }
 * }</pre>
 *
 * <p>Parameters that need no gradient, and buffers, are copied from rank 0 at the start. A
 * parameter that the backward pass has not reached has a gradient of zeros after {@link #finish},
 * or the average of those ranks where it was reached.
 *
 * <p>A hook of autograd says that the gradient of a parameter is computed; PyTorch adds it to
 * {@code grad()} only then. So a gradient is sent when the next one is computed, and the last by
 * {@link #finish}.
 *
 * <p><em>Threads</em>: one; backward passes on the CPU call hooks on the thread that started them.
 * <em>Owns</em>: its hooks, until it is closed.
 */
public final class TorchDataParallel implements AutoCloseable {

  private final DataParallel parallel;
  private final List<Tensor> parameters = new ArrayList<>();
  private final List<Hook> hooks = new ArrayList<>();
  private final boolean[] sent;
  private int last = -1; // parameter whose gradient was computed last
  private boolean accumulating;
  private @Nullable RuntimeException failure; // must not unwind through C++

  private TorchDataParallel(
      ProcessGroup group, Module module, Consumer<DataParallel.Builder> options) {
    DataParallel.Builder builder = DataParallel.over(group);
    StringTensorDict named = module.named_parameters();
    for (long i = 0; i < named.size(); i++) {
      add(builder, named.get(i));
    }
    StringTensorDict buffers = module.named_buffers();
    for (long i = 0; i < buffers.size(); i++) {
      StringTensorDictItem item = buffers.get(i);
      builder.buffer(item.key().getString(), TorchTensors.of(item.value()), shape(item.value()));
    }
    options.accept(builder);
    parallel = builder.build();
    sent = new boolean[parameters.size()];
    for (int i = 0; i < parameters.size(); i++) {
      hooks.add(new Hook(i));
    }
  }

  /**
   * Makes the parameters and buffers of a module those of rank 0, and watches its backward passes.
   *
   * @param module the same at all ranks
   * @param options size of buckets, compression, hook and so on
   * @throws IllegalArgumentException if a parameter is not contiguous or not in host memory
   * @throws io.jgloo.transport.MismatchException at all ranks if the module of a rank differs;
   *     names the first difference
   * @throws JGlooException if the group has failed
   */
  public static TorchDataParallel of(
      ProcessGroup group, Module module, Consumer<DataParallel.Builder> options) {
    return new TorchDataParallel(group, module, options);
  }

  private void add(DataParallel.Builder builder, StringTensorDictItem item) {
    Tensor tensor = new Tensor(item.value());
    String name = item.key().getString();
    Payload values = TorchTensors.of(tensor);
    if (tensor.requires_grad()) {
      builder.parameter(name, values, shape(tensor));
      parameters.add(tensor);
    } else {
      builder.buffer(name, values, shape(tensor));
    }
  }

  private static long[] shape(Tensor tensor) {
    long[] shape = new long[(int) tensor.dim()];
    for (int i = 0; i < shape.length; i++) {
      shape[i] = tensor.size(i);
    }
    return shape;
  }

  /** Called by a backward pass with the gradient of one parameter, before it is accumulated. */
  private final class Hook extends VoidTensorHook {
    private final int parameter;
    private final int number;

    @SuppressWarnings("this-escape") // the address of a function that calls this
    Hook(int parameter) {
      this.parameter = parameter;
      number = parameters.get(parameter).register_hook(this);
    }

    @Override
    public void call(TensorBase gradient) {
      if (accumulating || failure != null) {
        return;
      }
      try {
        sendLast();
        last = parameter;
      } catch (RuntimeException e) {
        failure = e;
      }
    }
  }

  private void sendLast() {
    if (last >= 0) {
      send(last);
      last = -1;
    }
  }

  private void send(int parameter) {
    if (!sent[parameter]) {
      parallel.ready(parameter, TorchTensors.of(parameters.get(parameter).grad()));
      sent[parameter] = true;
    }
  }

  /** Runs passes whose gradients are accumulated and not sent yet: all of a step but the last. */
  public void noSync(Runnable passes) {
    accumulating = true;
    try {
      passes.run();
    } finally {
      accumulating = false;
    }
  }

  /**
   * Waits until all gradients are averaged, after the backward pass and before the optimizer.
   *
   * @throws IllegalArgumentException if a gradient is not contiguous
   * @throws JGlooException if the group has failed, or the time is not enough
   */
  public void finish(Duration timeout) {
    RuntimeException failed = failure;
    if (failed != null) {
      failure = null;
      throw failed;
    }
    sendLast();
    for (int i = sent.length - 1; i >= 0; i--) {
      Tensor parameter = parameters.get(i);
      if (!parameter.grad().defined()) {
        parameter.mutable_grad().put(zeros_like(parameter));
      }
      send(i);
    }
    parallel.finish(timeout);
    Arrays.fill(sent, false);
  }

  /** What the frameworks share: joining, metrics, and copying the values of a rank. */
  public DataParallel core() {
    return parallel;
  }

  /** Removes the hooks. */
  @Override
  public void close() {
    for (Hook hook : hooks) {
      parameters.get(hook.parameter).remove_hook(hook.number);
      hook.close();
    }
    hooks.clear();
  }
}
