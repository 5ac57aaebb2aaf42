package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.MessengerOptions;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.Clock;
import io.jgloo.transport.ClosedException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.Mesh;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of a messenger that has started: peers, sessions, calls, blocks.
 *
 * <p><i>Threads</i>: the one that runs {@link #events}, but for what is final and volatile.
 */
final class MessengerState {

  private static final Logger LOG = System.getLogger(MessengerState.class.getName());

  final AgentId self;
  final MessengerOptions options;
  final Clock clock;
  private final List<Peer> peers;
  final Handlers handlers;
  final Events events = new Events(this::afterwards, this::eventFailed);
  private final TimerWheel timers;
  final PeerSessions links;
  final MeshIo port;
  final OutgoingBlocks supplies;
  final IncomingBlocks arrivals;
  private long refusals;
  private boolean leaving;
  private boolean wake;

  /** Calls without an outcome. */
  private final AtomicInteger pending = new AtomicInteger();

  /** Requests of others and of this agent that are not answered. */
  private final AtomicInteger requests = new AtomicInteger();

  /** Requests that began and calls that were made: what is the same has done nothing meanwhile. */
  private final AtomicLong activity = new AtomicLong();

  /** {@link #activity} at each report of idleness. */
  private final List<Long> idleReports = new ArrayList<>();

  /** Rounds of reports that are complete, and whether nothing happened between the last two. */
  private volatile int rounds;

  private volatile boolean isSteady;

  private volatile boolean hasReported;

  private boolean startAnnounced;

  /** Whether all peers that live need this agent no more, and have what it sent. */
  private volatile boolean released;

  /** Why everything ended, or null. */
  private volatile @Nullable JGlooException end;

  MessengerState(
      AgentId self,
      String name,
      MessengerOptions options,
      Mesh mesh,
      List<Peer> peers,
      Handlers handlers) {
    this.self = self;
    this.options = options;
    this.clock = mesh.clock();
    this.peers = peers;
    this.handlers = handlers;
    timers = new TimerWheel(clock.nanoTime());
    links = new PeerSessions(self, peers, options.frameBytes(), clock, events, new Dispatch(this));
    port = new MeshIo(mesh, options.frameBytes(), events, links);
    supplies = new OutgoingBlocks(port);
    arrivals = new IncomingBlocks(port, links, options.payloadBytes());
    peers.get(self.rank()).begin(self, name, null);
  }

  // Calls of this agent.

  /** Begins a call; its outcome may be known when this returns. */
  void call(PendingCall call, @Nullable BodyMessage outbound) {
    Peer peer = peers.get(call.to.rank());
    if (outbound != null) {
      outbound.offer();
    }
    pending.incrementAndGet();
    activity.incrementAndGet();
    peer.calls.put(call.id, call);
    timers.set(call.timer, call.deadlineNanos);
    links.wantTick(clock.nanoTime() + TimerWheel.TICK_NANOS);
    if (end != null || !call.to.equals(peer.id())) {
      call.giveUp("it is not there", end != null ? end : peer.loss);
    } else if (outbound != null && !hasRoom(peer, outbound)) {
      call.giveUp(full(peer), null);
    } else if (outbound == null) {
      callSelf(peer, call);
    } else {
      links.submit(peer, outbound);
    }
  }

  /** Sends a message to a life of a peer, if that is the present one. */
  void submit(AgentId to, Outbound message) {
    Peer peer = peers.get(to.rank());
    if (end != null || !to.equals(peer.id())) {
      message.dropped(end != null ? end : peer.loss);
    } else {
      links.submit(peer, message);
    }
  }

  /** Whether a request can be kept until the peer takes it. */
  private boolean hasRoom(Peer peer, BodyMessage message) {
    long others = peer.kept() - message.bodyBytes();
    long all = peer.kept() + message.length;
    return others == 0 || all <= options.queueBytes();
  }

  private String full(Peer peer) {
    return (peer.kept() + " bytes of messages wait for agent " + peer.id())
        + (", and at most " + options.queueBytes() + " may (option queueBytes)");
  }

  private void callSelf(Peer peer, PendingCall call) {
    RequestHandler handler = handlers.service(call.service);
    if (handler == null) {
      call.refused("there is no service " + call.service);
      return;
    }
    IncomingRequest request =
        new IncomingRequest(
            this, peer, call.id, call.priority, call.message, 0, call.deadlineNanos);
    peer.requests.put(call.id, request);
    began();
    handlers.request(handler, request);
  }

  /** Takes a call back that is given up; returns whether it may be executed all the same. */
  boolean withdraw(PendingCall call) {
    Peer peer = peers.get(call.to.rank());
    if (call.outbound() == null) {
      IncomingRequest request = peer.requests.get(call.id);
      return request != null && !request.refuse("the caller gave it up");
    }
    if (!call.outbound().isSent()) {
      call.outbound().withdraw();
      return false;
    }
    if (call.to.equals(peer.id())) {
      byte[] cancel = Envelope.call(Envelope.CANCEL, 0, call.id);
      links.submit(peer, new Outbound(cancel, cancel.length, Priority.HIGH, false));
    }
    return true;
  }

  /** A call has its outcome. */
  void ended(PendingCall call) {
    timers.cancel(call.timer);
    peers.get(call.to.rank()).calls.remove(call.id, call);
    pending.decrementAndGet();
    wake = true;
  }

  // Requests of others.

  /** Encodes a reply, from any thread; null if it goes to this agent. */
  @Nullable BodyMessage encode(IncomingRequest request, int status, Message reply) {
    return request.from().equals(self)
        ? null
        : BodyMessage.reply(request, status, reply, supplies, options.frameBytes());
  }

  /** Answers a request, from any thread. */
  void answer(IncomingRequest request, int status, Message reply, @Nullable BodyMessage encoded) {
    if (encoded != null) {
      encoded.keep(); // before the next request of the same frame
    }
    events.run(
        () -> {
          Peer peer = request.peer;
          peer.requests.remove(request.call, request);
          requestEnded();
          if (encoded == null) {
            PendingCall call = peer.calls.get(request.call);
            if (call != null) {
              call.replied(status, reply);
            } else {
              reply.close();
            }
          } else if (request.from().equals(peer.id())) {
            encoded.offer();
            links.release(peer, request.from(), request.credit);
            links.submit(peer, encoded);
          } else {
            encoded.offer(); // its blocks, and the body that it has made
            encoded.withdraw();
          }
        });
  }

  /** Answers a request that is not executed, from any thread. */
  void refuse(IncomingRequest request, String reason) {
    byte[] answer = Envelope.refusal(request.call, reason);
    events.run(
        () -> {
          Peer peer = request.peer;
          boolean open = peer.requests.remove(request.call, request);
          requestEnded();
          request.message().close();
          if (open && request.from().equals(self)) {
            PendingCall call = peer.calls.get(request.call);
            if (call != null) {
              call.refused(reason);
            }
          } else if (open && request.from().equals(peer.id())) {
            links.release(peer, request.from(), request.credit);
            links.submit(peer, new Outbound(answer, answer.length, request.priority, false));
          }
        });
  }

  /** A peer asked for something it has no right to, or that is not there. */
  void refused() {
    refusals++;
  }

  // Events.

  private void afterwards() {
    links.flush();
    if (leaving && !released && isReleased()) {
      released = true;
      wake = true;
    }
    if (wake) {
      wake = false;
      port.wakeup();
    }
  }

  /** Threads that wait are to look at their conditions. */
  void wake() {
    wake = true;
  }

  /** An event threw, which is a mistake of this library: everything ends. */
  private void eventFailed(Throwable cause) {
    LOG.log(Level.ERROR, "agent " + self + " failed", cause);
    end(new ClosedException("agent " + self + " failed: " + cause, cause));
  }

  void tick(long now) {
    timers.advance(now);
    if (!timers.isEmpty()) {
      links.wantTick(now + TimerWheel.TICK_NANOS);
    }
  }

  // The start.

  /** The start has ended: tells all peers, those too that connect later. */
  void announceStart() {
    startAnnounced = true;
    peers.forEach(this::announceStart);
  }

  void announceStart(Peer peer) {
    if (startAnnounced && peer.session != null) {
      byte[] started = Envelope.open(Envelope.STARTED, 0, 0, Envelope.HEAD_BYTES);
      links.submit(peer, new Outbound(started, started.length, Priority.LOW, false));
    }
  }

  // The end. All agents report each time they are idle, in rounds: the next begins when all have
  // reported. If no agent did anything between two reports, all were idle at the instant of the
  // last report of the first round, so nothing is on its way.

  /** A request of a peer, or of this agent to itself, has come. */
  void began() {
    requests.incrementAndGet();
    activity.incrementAndGet();
  }

  private void requestEnded() {
    requests.decrementAndGet();
    wake = true;
  }

  long activity() {
    return activity.get();
  }

  /** Whether it waits for no call, and no call waits for it. */
  boolean isIdle() {
    return pending.get() == 0 && requests.get() == 0;
  }

  /** Reports that it is idle, unless it has done something since that activity. */
  boolean reportIdle(long since) {
    if (!isIdle() || activity.get() != since) {
      return false;
    }
    idleReports.add(since);
    hasReported = true;
    for (Peer peer : peers) {
      if (peer.session != null) {
        byte[] report = Envelope.open(Envelope.IDLE, 0, 0, Envelope.REPLY_BYTES);
        LittleEndian.putLong(report, 4, since);
        links.submit(peer, new Outbound(report, report.length, Priority.LOW, false));
      }
    }
    reported();
    return true;
  }

  /** A report has come, or is not to be waited for any more. */
  void reported() {
    while (idleReports.size() > rounds && peers.stream().allMatch(this::hasReported)) {
      int round = rounds;
      isSteady =
          round > 0
              && isSame(idleReports, round)
              && peers.stream()
                  .allMatch(
                      peer ->
                          peer.session == null
                              || peer.idleReports.size() <= round
                              || isSame(peer.idleReports, round));
      rounds = round + 1;
      wake = true;
    }
  }

  private boolean hasReported(Peer peer) {
    return peer.session == null || peer.leaving || peer.idleReports.size() > rounds;
  }

  private static boolean isSame(List<Long> reports, int round) {
    return reports.get(round).equals(reports.get(round - 1));
  }

  boolean isLeaving() {
    return hasReported;
  }

  int rounds() {
    return rounds;
  }

  boolean isSteady() {
    return isSteady;
  }

  int pending() {
    return pending.get();
  }

  boolean isReleased() {
    for (Peer peer : peers) {
      boolean done =
          peer.session == null
              || (peer.leaving && peer.session.outstanding() == 0 && !peer.session.hasMessages());
      if (!done || !peer.requests.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  boolean wasReleased() {
    return released;
  }

  /** Tells all peers that this agent needs them no more. */
  void leave() {
    leaving = true;
    for (Peer peer : peers) {
      if (peer.session != null) {
        byte[] leave = Envelope.open(Envelope.LEAVING, 0, 0, Envelope.HEAD_BYTES);
        links.submit(peer, new Outbound(leave, leave.length, Priority.LOW, true));
      }
    }
  }

  /** Why everything has ended, or null. */
  @Nullable JGlooException cause() {
    return end;
  }

  /** Ends everything that is under way; {@link MeshIo#close} is left to a thread outside. */
  void end(JGlooException cause) {
    if (end == null) {
      end = cause;
      links.close(cause);
      Peer own = peers.get(self.rank());
      List.copyOf(own.calls.values()).forEach(call -> call.giveUp("it is closed", cause));
      supplies.end(null);
      wake = true;
    }
  }

  /** Its state as text. */
  String dump() {
    return Dump.of(self, peers, clock.nanoTime());
  }

  /** Counts of tables and traffic, by name. */
  Map<String, Long> counts() {
    Map<String, Long> counts = new LinkedHashMap<>();
    List<Session> sessions = new ArrayList<>();
    long open = 0;
    for (Peer peer : peers) {
      open += peer.requests.size();
      if (peer.session != null) {
        sessions.add(peer.session);
      }
    }
    counts.put("calls", (long) pending.get());
    counts.put("requests", open);
    counts.put("arrivals", (long) arrivals.size());
    counts.put("arrivalBytes", arrivals.held());
    counts.put("supplies", (long) supplies.size());
    counts.put("queuedBytes", peers.stream().mapToLong(Peer::kept).sum());
    counts.put("framesSent", links.framesSent());
    counts.put("framesReceived", links.framesReceived());
    counts.put("foreignFrames", links.foreignFrames());
    counts.put("refusals", refusals);
    counts.put("unacknowledged", sessions.stream().mapToLong(Session::outstanding).sum());
    counts.put("resent", sessions.stream().mapToLong(Session::resent).sum());
    counts.put("duplicates", sessions.stream().mapToLong(Session::duplicates).sum());
    port.addBytes(counts);
    return counts;
  }
}
