package io.jgloo.rpc;

import io.jgloo.rpc.rref.protocol.ForkId;
import io.jgloo.rpc.rref.protocol.Reason;
import io.jgloo.rpc.rref.protocol.User;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Futures of the owners' confirmations.
 *
 * <p><i>Threads</i>: any.
 */
final class Confirmations {

  private final RRefs refs;
  private final Map<ForkId, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();

  Confirmations(RRefs refs) {
    this.refs = refs;
  }

  CompletableFuture<Void> of(ForkId fork) {
    CompletableFuture<Void> future =
        waiting.computeIfAbsent(fork, absent -> new CompletableFuture<>());
    User user = refs.tables().read(tables -> tables.users().get(fork));
    if (user == null || !user.open()) {
      failed(fork, Reason.CLOSED);
    } else if (user.status() == User.Status.CONFIRMED) {
      confirmed(fork);
    } else if (user.reason() != null) {
      failed(fork, user.reason());
    }
    return future.copy();
  }

  void confirmed(ForkId fork) {
    CompletableFuture<Void> future = waiting.isEmpty() ? null : waiting.remove(fork);
    if (future != null) {
      future.complete(null);
      refs.messenger().wakeup();
    }
  }

  void failed(ForkId fork, Reason reason) {
    CompletableFuture<Void> future = waiting.isEmpty() ? null : waiting.remove(fork);
    if (future != null) {
      future.completeExceptionally(
          RRefs.exception(reason, fork.toString(), refs.creations.cause(fork)));
      refs.messenger().wakeup();
    }
  }
}
