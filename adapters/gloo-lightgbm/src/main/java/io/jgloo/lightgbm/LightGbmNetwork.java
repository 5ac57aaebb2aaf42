package io.jgloo.lightgbm;

import com.microsoft.ml.lightgbm.lightgbmlibJNI;
import io.jgloo.Payload;
import io.jgloo.ProcessGroup;
import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import io.jgloo.transport.JGlooException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * LightGBM's network over a process group: what LightGBM calls on this thread while it is open is
 * trained by all ranks of the group together.
 *
 * <pre>{@code
 * try (LightGbmNetwork network = LightGbmNetwork.open(group)) {
 *   // LGBM_DatasetCreate..., LGBM_BoosterCreate, LGBM_BoosterUpdateOneIter, with the parameters
 *   // "tree_learner=data num_machines=" + group.size()
 * }
 * }</pre>
 *
 * <p>LightGBM does its communication by two functions, an allgather and a reduce-scatter, which
 * work on its own memory without a copy. Operands are associated in the order of LightGBM's
 * sockets, so models have the same bits. Tree learners are {@code data} and {@code voting};
 * LightGBM's C API refuses {@code feature}.
 *
 * <p><em>Threads</em>: LightGBM's network belongs to a thread, and so does this: the thread that
 * opens it makes all calls and closes it. Several threads may have one each, of other groups or
 * ranks. Virtual threads are refused.
 *
 * <p><em>Owns</em>: nothing; the group stays open. <em>Fails</em>: a failed collective makes
 * LightGBM's call return -1, and {@code LGBM_GetLastError} tells rank and reason; {@link #failure}
 * is the cause. No later collective is tried. After {@link #close} another one can be opened.
 */
public final class LightGbmNetwork implements AutoCloseable {

  /** Longest message that is handed to C: 4 KiB in UTF-8. */
  private static final int MESSAGE_CHARACTERS = 1000;

  private final Thread owner = Thread.currentThread();
  private final ProcessGroup group;
  private final ProcessGroup ordered;
  private final long[] counts; // written by the native part before each call
  private final Map<Long, ReduceOp> operations = new HashMap<>();
  private @Nullable Throwable failure;
  private boolean closed;

  private LightGbmNetwork(ProcessGroup group) {
    this.group = group;
    counts = new long[group.size()];
    ordered = group.with(group.options().algorithm(LightGbmAlgorithms.NAME));
  }

  /**
   * Connects LightGBM to the group, for the calling thread.
   *
   * @param group whose timeout has to be longer than ranks may differ in the time of their local
   *     work; stays open when this is closed
   * @throws IllegalStateException if this thread has a network, or is virtual
   * @throws UnsupportedOperationException if the native part is missing, or LightGBM's own library
   */
  public static LightGbmNetwork open(ProcessGroup group) {
    if (group == null) {
      throw new IllegalArgumentException("group must not be null");
    }
    if (Thread.currentThread().getClass().getSimpleName().equals("VirtualThread")) {
      throw new IllegalStateException("LightGBM's network needs a platform thread, not a virtual");
    }
    LightGbmLibrary.load();
    LightGbmNetwork network = new LightGbmNetwork(group);
    if (!bind(network, network.counts, group.rank())) {
      throw new IllegalStateException(
          "thread " + Thread.currentThread().getName() + " has an open LightGbmNetwork");
    }
    int status =
        lightgbmlibJNI.LGBM_NetworkInitWithFunctions(
            group.size(), group.rank(), reduceScatterFunction(), allgatherFunction());
    if (status != 0) {
      unbind();
      throw new LightGbmException(
          "LGBM_NetworkInitWithFunctions: " + lightgbmlibJNI.LGBM_GetLastError());
    }
    return network;
  }

  /** The group. */
  public ProcessGroup group() {
    return group;
  }

  /** Why a collective has failed; empty if none has. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Ends LightGBM's network of this thread.
   *
   * @throws IllegalStateException in another thread than the one that opened it
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    if (Thread.currentThread() != owner) {
      throw new IllegalStateException(
          ("the network of thread " + owner.getName())
              + (" must not be closed by thread " + Thread.currentThread().getName()));
    }
    closed = true;
    lightgbmlibJNI.LGBM_NetworkFree();
    unbind();
  }

  // Called by the native part, in the order of LightGBM's calls; the text of an error, or null.

  private @Nullable String reduceScatter(long address, int elementBytes, long reducer) {
    if (failure == null) {
      try {
        ordered.reduceScatterv(bytes(address), counts, operation(reducer, elementBytes));
        return null;
      } catch (Throwable e) {
        failure = e;
      }
    }
    return message("reduceScatter");
  }

  private @Nullable String allgather(long address) {
    if (failure == null) {
      try {
        if (areEqual()) {
          group.allgather(bytes(address));
        } else {
          group.allgatherv(bytes(address), counts);
        }
        return null;
      } catch (Throwable e) {
        failure = e;
      }
    }
    return message("allgather");
  }

  private boolean areEqual() {
    for (long count : counts) {
      if (count != counts[0]) {
        return false;
      }
    }
    return true;
  }

  private Payload bytes(long address) {
    return Payload.ofAddress(address, Arrays.stream(counts).sum(), DataType.INT8, null);
  }

  private ReduceOp operation(long reducer, int elementBytes) {
    ReduceOp op = operations.get(reducer);
    if (op == null || op.width() != elementBytes) {
      op = ReduceOp.ofNative("lightgbm", reducer, elementBytes);
      operations.put(reducer, op);
    }
    return op;
  }

  private String message(String call) {
    String reason =
        failure instanceof JGlooException told ? told.getMessage() : String.valueOf(failure);
    String text =
        ("rank " + group.rank() + " of " + group.size() + ": LightGBM's " + call)
            + (" of " + Arrays.stream(counts).sum() + " bytes failed: " + reason);
    return text.length() > MESSAGE_CHARACTERS ? text.substring(0, MESSAGE_CHARACTERS) : text;
  }

  /** Finds what the native part needs; the text of an error, or null. */
  static native @Nullable String prepare();

  private static native long reduceScatterFunction();

  private static native long allgatherFunction();

  /** Whether the thread had no network. */
  private static native boolean bind(LightGbmNetwork network, long[] counts, int rank);

  private static native void unbind();
}
