package io.jgloo.transport.sim;

import io.jgloo.transport.GlooException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one rank's mesh sends to another's, in order: sends that wait for the link, frames on their
 * way, and frames held up by a cut.
 *
 * <p>A send can be withdrawn until it leaves; half of them leave at once, by the dice, the others a
 * moment later. Its bytes are copied when they leave and again when they arrive.
 */
final class Stream {

  /** A link that is busy for less than this takes one more frame: the network card's queue. */
  private static final long SLACK_NANOS = 1_000;

  private static final int HESITATION_NANOS = 1_500;

  private final Link link;
  private final SimPair from;
  private final SimPair to;
  private final Limits limits;
  private final Map<Frame.Kind, String> names = new EnumMap<>(Frame.Kind.class);

  /** Sends and frames, in the order in which they leave. */
  private final ArrayDeque<Object> outbox = new ArrayDeque<>();

  /** Sends that were announced and wait to be granted. */
  private final List<SimRequest> announced = new ArrayList<>();

  /** Granted sends, whose pieces leave in between, in any order. */
  private final List<SimRequest> granted = new ArrayList<>();

  private final ArrayDeque<Frame> held = new ArrayDeque<>();
  private long credit;
  private long busyUntil;
  private long lastArrival;
  private boolean departing;
  private boolean flowing;

  Stream(Link link, SimPair from, SimPair to, Limits limits) {
    this.link = link;
    this.from = from;
    this.to = to;
    this.limits = limits;
    credit = limits.unexpectedBytes();
    for (Frame.Kind kind : Frame.Kind.values()) {
      names.put(kind, link + " " + kind);
    }
    link.add(this);
  }

  // The sender's end.

  void send(SimRequest request) {
    outbox.add(request);
    pump(link.timeline().random(2) == 0 ? link.timeline().random(HESITATION_NANOS) : 0);
  }

  void send(Frame frame) {
    outbox.add(frame);
    pump(0);
  }

  /** A receive for an announced send is there. */
  void grant(SimRequest request, SimRequest receiver) {
    if (announced.remove(request)) {
      request.receiver = receiver;
      granted.add(request);
      pump(0);
    }
  }

  void returnCredit(long bytes) {
    credit += bytes;
  }

  /** Whether sends are not done yet. */
  boolean isBusy() {
    return !announced.isEmpty()
        || !granted.isEmpty()
        || outbox.stream().anyMatch(SimRequest.class::isInstance);
  }

  /** Withdraws a send that has not left. */
  boolean cancel(SimRequest request) {
    return outbox.remove(request);
  }

  /** Fails all sends and drops what has not left. */
  void stop(GlooException cause) {
    List<SimRequest> sends = new ArrayList<>();
    for (Object item : outbox) {
      if (item instanceof SimRequest send) {
        sends.add(send);
      }
    }
    sends.addAll(announced);
    sends.addAll(granted);
    outbox.clear();
    announced.clear();
    granted.clear();
    sends.forEach(send -> send.fail(cause));
  }

  /** Drops what has not left and tells nobody, for the rank is no more. */
  void vanish() {
    outbox.clear();
    announced.clear();
    granted.clear();
  }

  /** Lets things leave as the link takes them. */
  void pump(long hesitation) {
    Timeline timeline = link.timeline();
    while (!departing && !(outbox.isEmpty() && granted.isEmpty())) {
      long wait = Math.max(hesitation, busyUntil - SLACK_NANOS - timeline.now());
      if (wait > 0) {
        departing = true;
        timeline.arrival(timeline.now() + wait, "depart", this::departLater);
        return;
      }
      if (link.from().isPaused()) {
        return;
      }
      depart();
    }
  }

  private void departLater() {
    departing = false;
    pump(0);
  }

  private void depart() {
    Timeline timeline = link.timeline();
    boolean bulk = !granted.isEmpty() && (outbox.isEmpty() || timeline.random(2) == 0);
    if (bulk) {
      departPiece(granted.get(timeline.random(granted.size())));
      return;
    }
    Object next = outbox.remove();
    if (next instanceof Frame frame) {
      transmit(frame);
    } else {
      departSend((SimRequest) next);
    }
  }

  private void departSend(SimRequest send) {
    long cost = limits.cost(send.length());
    if (send.length() <= limits.eagerBytes() && cost <= credit) {
      credit -= cost;
      transmit(Frame.message(send, send.read((int) send.length())));
      from.sent(send);
    } else {
      announced.add(send);
      transmit(Frame.message(send, null));
    }
  }

  private void departPiece(SimRequest send) {
    int granule = send.receiver.granule();
    long left = send.length() - send.moved;
    long most = link.timeline().random(1, limits.pieceBytes());
    int bytes = (int) Math.min(left, Math.max(granule, most - most % granule));
    boolean last = bytes == left;
    transmit(Frame.piece(send, send.read(bytes)));
    if (last) {
      granted.remove(send);
      from.sent(send);
    }
  }

  private void transmit(Frame frame) {
    Timeline timeline = link.timeline();
    busyUntil = Math.max(busyUntil, timeline.now()) + link.model().nanosFor(frame.bytes());
    lastArrival = Math.max(lastArrival, busyUntil + link.delay());
    timeline.arrival(lastArrival, names.get(frame.kind()), () -> arrive(frame));
  }

  /** What the operating system says for a rank that cannot: arrives after all else. */
  void reset(long delayNanos) {
    Timeline timeline = link.timeline();
    lastArrival = Math.max(lastArrival, timeline.now() + delayNanos);
    Frame frame = Frame.control(Frame.Kind.RESET);
    timeline.arrival(lastArrival, names.get(frame.kind()), () -> arrive(frame));
  }

  // The receiver's end.

  private void arrive(Frame frame) {
    if (link.isBlocked() || !held.isEmpty()) {
      held.add(frame);
    } else {
      deliver(frame);
    }
  }

  /** The door is open again. */
  void flow() {
    if (!held.isEmpty() && !flowing && !link.isBlocked()) {
      flowing = true;
      Timeline timeline = link.timeline();
      timeline.arrival(timeline.now() + link.delay(), "flow", this::flowNow);
    }
    pump(0);
  }

  private void flowNow() {
    flowing = false;
    while (!link.isBlocked() && !held.isEmpty()) {
      deliver(held.poll());
    }
  }

  private void deliver(Frame frame) {
    if (to.mesh().hasEnded() || !to.listensTo(this)) {
      link.remove(this);
      return;
    }
    to.receive(frame);
    switch (frame.kind()) {
      case ABORT, GOODBYE, RESET -> link.remove(this);
      default -> {
        // More may come.
      }
    }
  }

  @Override
  public String toString() {
    return "stream " + link;
  }
}
