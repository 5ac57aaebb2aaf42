package io.jgloo.pytorch;

import static org.bytedeco.pytorch.global.torch.zeros_like;

import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.DataType;
import io.jgloo.gradient.DataParallel;
import io.jgloo.transport.JGlooException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.InputArchive;
import org.bytedeco.pytorch.Module;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.OutputArchive;
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
 * <em>Owns</em>: its hooks and handles of tensors, until it is closed: dropped without that, it
 * stays in memory. It may be made, and each step run, in a {@code PointerScope}.
 */
public final class TorchDataParallel implements AutoCloseable {

  private static final int CHUNK = 1 << 30; // of a checkpoint, read at once

  /** JavaCPP holds hooks weakly: a backward pass that calls one which was collected fails. */
  private static final Set<TorchDataParallel> OPEN = ConcurrentHashMap.newKeySet();

  /** Parameters that are trained, with the gradients of this step that are being reduced. */
  private static final class Parameter {
    final String name;
    final Tensor tensor;
    @Nullable Tensor gradient;

    Parameter(String name, Tensor tensor) {
      this.name = name;
      this.tensor = tensor;
    }
  }

  private final ProcessGroup group;
  private final Module module;
  private final DataParallel parallel;
  private final List<Parameter> parameters = new ArrayList<>();
  private final List<Tensor> constants = new ArrayList<>(); // frozen parameters and buffers
  private final List<Hook> hooks = new ArrayList<>();
  private int last = -1; // parameter whose gradient was computed last
  private boolean accumulating;
  private @Nullable RuntimeException failure; // must not unwind through C++

  private TorchDataParallel(
      ProcessGroup group, Module module, Consumer<DataParallel.Builder> options) {
    DataParallel.Builder builder = DataParallel.over(group);
    this.group = group;
    this.module = module;
    add(builder, module.named_parameters(), "parameter ");
    add(builder, module.named_buffers(), "buffer ");
    options.accept(builder);
    parallel = builder.build();
    for (int i = 0; i < parameters.size(); i++) {
      hooks.add(new Hook(i));
    }
    OPEN.add(this);
  }

  /**
   * Makes the parameters and buffers of a module those of rank 0, and watches its backward passes.
   *
   * @param module the same at all ranks; kept until this is closed
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

  private void add(DataParallel.Builder builder, StringTensorDict named, String kind) {
    for (long i = 0; i < named.size(); i++) {
      StringTensorDictItem item = named.get(i);
      Tensor tensor = TorchTensors.own(item.value());
      String name = item.key().getString();
      Payload values = TorchTensors.of(kind + name, tensor, true);
      if (tensor.requires_grad()) {
        builder.parameter(name, values, shape(tensor));
        parameters.add(new Parameter(name, tensor));
      } else {
        builder.buffer(name, values, shape(tensor));
        constants.add(tensor);
      }
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
      retainReference();
      this.parameter = parameter;
      number = parameters.get(parameter).tensor.register_hook(this);
    }

    @Override
    public void call(TensorBase gradient) {
      if (accumulating || failure != null) {
        return;
      }
      try {
        if (parameter == last || parameters.get(parameter).gradient != null) {
          throw new IllegalStateException(
              "gradient of "
                  + parameters.get(parameter).name
                  + " is computed twice in one step: use noSync for all passes but the last");
        }
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

  private void send(int number) {
    Parameter parameter = parameters.get(number);
    if (parameter.gradient == null) {
      Tensor gradient = parameter.tensor.grad().retainReference();
      boolean sent = false;
      try {
        parallel.ready(number, TorchTensors.of("gradient of " + parameter.name, gradient, true));
        parameter.gradient = gradient;
        sent = true;
      } finally {
        if (!sent) {
          gradient.releaseReference();
        }
      }
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
   * @throws IllegalArgumentException if a gradient is not contiguous; names the parameter
   * @throws IllegalStateException if there were two backward passes in the step, not counting those
   *     of {@link #noSync}
   * @throws JGlooException if the group has failed, or the time is not enough
   */
  public void finish(Duration timeout) {
    if (failure != null) {
      throw failure;
    }
    sendLast();
    for (int i = parameters.size() - 1; i >= 0; i--) {
      Tensor parameter = parameters.get(i).tensor;
      if (!parameter.grad().defined()) {
        parameter.mutable_grad().put(zeros_like(parameter));
      }
      send(i);
    }
    parallel.finish(timeout);
    releaseGradients();
  }

  private void releaseGradients() {
    for (Parameter each : parameters) {
      if (each.gradient != null) {
        each.gradient.releaseReference();
        each.gradient = null;
      }
    }
  }

  /** What the frameworks share: joining, metrics, and copying the values of a rank. */
  public DataParallel core() {
    return parallel;
  }

  /**
   * Writes a checkpoint at rank 0, in place of an older one: the module, the state of the optimizer
   * and the number of a step. All ranks call this. The state of random generators is not in it.
   *
   * @param file an archive of PyTorch with the entries {@code module}, {@code optimizer} and {@code
   *     step}; the path counts at rank 0 only
   * @throws IOException at all ranks if rank 0 cannot write it; the older one is whole then
   * @throws JGlooException if the group has failed
   */
  public void save(Path file, Optimizer optimizer, long step) throws IOException {
    IOException failed = null;
    if (group.rank() == 0) {
      try {
        write(file, optimizer, step);
      } catch (IOException e) {
        failed = e;
      } catch (RuntimeException e) { // of C++
        failed = new IOException("checkpoint " + file + " cannot be written", e);
      }
    }
    if (fromRank0(failed == null ? 0 : -1) < 0) {
      throw failed != null ? failed : new IOException("rank 0 cannot write checkpoint " + file);
    }
  }

  private void write(Path file, Optimizer optimizer, long step) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try (OutputArchive archive = new OutputArchive();
        OutputArchive modules = new OutputArchive();
        OutputArchive states = new OutputArchive();
        IValue number = new IValue(step)) {
      module.save(modules);
      archive.write("module", modules);
      optimizer.save(states);
      archive.write("optimizer", states);
      archive.write("step", number);
      archive.save_to(part.toString());
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private long fromRank0(long value) {
    long[] all = {value};
    group.broadcast(all, 0);
    return all[0];
  }

  /**
   * Goes on from a checkpoint of rank 0: all ranks have the values in that file then, also of their
   * optimizers. All ranks call this.
   *
   * @param file the path counts at rank 0 only
   * @return the step of the checkpoint, or -1 at all ranks if rank 0 has no such file: nothing has
   *     changed then
   * @throws IOException at all ranks if rank 0 cannot read it
   * @throws RuntimeException if it is none of this module and optimizer: the message is PyTorch's
   * @throws JGlooException if the group has failed
   */
  public long load(Path file, Optimizer optimizer) throws IOException {
    IOException failed = null;
    BytePointer bytes = new BytePointer();
    long size = -1; // no file
    if (group.rank() == 0 && Files.exists(file)) {
      try {
        bytes = read(file);
        size = bytes.capacity();
      } catch (IOException e) {
        failed = e;
        size = -2;
      }
    }
    size = fromRank0(size);
    if (size == -2) {
      throw failed != null ? failed : new IOException("rank 0 cannot read checkpoint " + file);
    }
    if (size < 0) {
      return -1;
    }
    if (group.rank() > 0) {
      bytes = new BytePointer(size);
    }
    try (BytePointer all = bytes) {
      group.broadcast(Payload.ofAddress(all.address(), size, DataType.UINT8, all), 0);
      return restore(all, size, optimizer);
    }
  }

  private static BytePointer read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      BytePointer bytes = new BytePointer(channel.size());
      for (long at = 0; at < bytes.capacity(); ) {
        BytePointer chunk = bytes.getPointer(at);
        int read = channel.read(chunk.limit(Math.min(CHUNK, bytes.capacity() - at)).asBuffer());
        if (read < 0) {
          throw new IOException("checkpoint " + file + " has become shorter while it was read");
        }
        at += read;
      }
      return bytes;
    }
  }

  private long restore(BytePointer bytes, long size, Optimizer optimizer) {
    try (InputArchive archive = new InputArchive();
        InputArchive modules = new InputArchive();
        InputArchive states = new InputArchive();
        IValue step = new IValue()) {
      archive.load_from(bytes, size);
      archive.read("module", modules);
      archive.read("optimizer", states);
      archive.read("step", step);
      restore(modules);
      optimizer.load(states);
      return step.toInt();
    }
  }

  /** Module.load gives all tensors other memory: copies it into theirs, which payloads are of. */
  private void restore(InputArchive modules) {
    List<Tensor> tensors = new ArrayList<>(constants);
    parameters.forEach(each -> tensors.add(each.tensor));
    List<Tensor> views = tensors.stream().map(Tensor::detach).toList();
    NoGradGuard guard = new NoGradGuard();
    try {
      module.load(modules);
      for (int i = 0; i < views.size(); i++) {
        views.get(i).copy_(tensors.get(i));
      }
    } finally {
      for (int i = 0; i < views.size(); i++) {
        tensors.get(i).set_data(views.get(i));
        views.get(i).close();
      }
      guard.close();
    }
  }

  /** Removes the hooks. */
  @Override
  public void close() {
    if (hooks.isEmpty()) {
      return;
    }
    for (Hook hook : hooks) {
      parameters.get(hook.parameter).tensor.remove_hook(hook.number);
      hook.releaseReference();
    }
    hooks.clear();
    OPEN.remove(this);
    releaseGradients();
    parameters.forEach(each -> each.tensor.releaseReference());
    constants.forEach(Tensor::releaseReference);
  }
}
