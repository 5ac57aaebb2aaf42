package io.jgloo.collectives.execution;

import io.jgloo.collectives.Collective;
import io.jgloo.collectives.Shape;
import java.util.Locale;

/**
 * The common part of calls of one kind, as a record of calls shows it; made once for all of them.
 *
 * @param operation the collective, or {@code send}, {@code recv}, {@code recvAny}
 * @param algorithm name of the algorithm, or null
 * @param type of the elements, or null
 * @param count elements, as the ranks must agree on them; -1 if each rank has its own
 * @param bytes of this rank's longest vector; -1 if each call has its own
 * @param op reduce operation, or null
 * @param root rank, or -1
 */
record CallKind(
    String operation, String algorithm, String type, long count, long bytes, String op, int root) {

  static final CallKind SEND = message("send");
  static final CallKind RECV = message("recv");
  static final CallKind RECV_ANY = message("recvAny");
  static final CallKind MONITORED_BARRIER = message("monitoredBarrier");

  private static CallKind message(String operation) {
    return new CallKind(operation, null, null, -1, -1, null, -1);
  }

  boolean isMessage() {
    return bytes < 0;
  }

  static CallKind of(Call call, Shape shape, String algorithm) {
    Collective collective = call.collective();
    boolean typed = collective != Collective.BARRIER;
    return new CallKind(
        collective.label(),
        algorithm,
        typed ? call.type().name().toLowerCase(Locale.ROOT) : null,
        collective.uneven() ? -1 : call.count(),
        shape.bytes(),
        call.op() == null ? null : call.op().toString(),
        collective.rooted() ? call.root() : -1);
  }
}
