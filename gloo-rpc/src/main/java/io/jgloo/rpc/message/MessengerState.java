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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of a messenger that has started: peers, sessions, calls, blocks. Hands on what the
 * messages of peers say: requests to services, replies to calls, control messages to handlers.
 *
 * <p><i>Threads</i>: the one that runs {@link #events}, but for what is final and volatile.
 */
final class MessengerState {

  private static final Logger LOG = System.getLogger(MessengerState.class.getName());

  final AgentId self;
  final MessengerOptions options;
  final Clock clock;
  final List<Peer> peers;
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
    links = new PeerSessions(self, peers, options.frameBytes(), clock, events, this);
    port = new MeshIo(mesh, options.frameBytes(), events, links);
    supplies = new OutgoingBlocks(port);
    arrivals = new IncomingBlocks(port, links, options.payloadBytes());
    peers.get(self.rank()).begin(self, name, null);
  }

  // Calls of this agent.

  /** Begins a call; its outcome may be known when this returns. */
  void call(PendingCall call, Outbound.@Nullable Body outbound) {
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
  private boolean hasRoom(Peer peer, Outbound.Body message) {
    long others = peer.kept() - message.bodyBytes();
    long all = peer.kept() + message.length;
    return others == 0 || all <= options.queueBytes();
  }

  private String full(Peer peer) {
    return (peer.kept() + " bytes of messages wait for agent " + peer.id())
        + (", and at most " + options.queueBytes() + " may (option queueBytes)");
  }

  private void callSelf(Peer peer, PendingCall call) {
    Consumer<IncomingRequest> handler = handlers.service(call.service);
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
  Outbound.@Nullable Body encode(IncomingRequest request, int status, Message reply) {
    return request.from().equals(self)
        ? null
        : Outbound.Body.reply(request, status, reply, supplies, options.frameBytes());
  }

  /** Answers a request, from any thread. */
  void answer(IncomingRequest request, int status, Message reply, Outbound.@Nullable Body encoded) {
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

  // What peers send.

  /** Takes a message of the present life of a peer; see {@link Session.Inbox}. */
  void received(Peer peer, byte[] frame, int offset, int length) {
    Envelope.require(length >= Envelope.HEAD_BYTES, "a message of " + length + " bytes");
    switch (frame[offset]) {
      case Envelope.REQUEST -> request(peer, frame, offset, length);
      case Envelope.REPLY -> reply(peer, frame, offset, length);
      case Envelope.CONTROL -> control(peer, frame, offset, length);
      case Envelope.CANCEL -> cancel(peer, frame, offset, length);
      case Envelope.PULL -> pull(peer, frame, offset, length);
      case Envelope.RELEASE -> {
        Envelope.require(length == Envelope.REPLY_BYTES, "a malformed release");
        refuseUnless(supplies.release(peer.id(), LittleEndian.getLong(frame, offset + 4)));
      }
      case Envelope.LEAVING -> {
        peer.leaving = true;
        hold(peer, length);
        links.release(peer, peer.id(), length);
        reported();
      }
      case Envelope.IDLE -> {
        Envelope.require(length == Envelope.REPLY_BYTES, "a malformed report");
        peer.idleReports.add(LittleEndian.getLong(frame, offset + 4));
        reported();
      }
      case Envelope.STARTED -> {
        peer.started = true;
        wake();
      }
      default -> Envelope.require(false, "a message of type " + frame[offset]);
    }
  }

  private void refuseUnless(boolean valid) {
    if (!valid) {
      refused();
    }
  }

  /** Counts credit that a peer uses; its last message may be longer than all of it. */
  private void hold(Peer peer, int length) {
    boolean first = peer.held == 0;
    peer.held += length;
    Envelope.require(
        first || peer.held <= options.windowBytes(),
        "a message beyond the credit of " + options.windowBytes() + " bytes");
  }

  private void request(Peer peer, byte[] frame, int offset, int length) {
    Envelope.require(length >= Envelope.REQUEST_BYTES, "a truncated request");
    hold(peer, length);
    int level = frame[offset + 1];
    Envelope.require(level >= 0 && level < Envelope.PRIORITIES.size(), "a request's priority");
    int service = LittleEndian.getShort(frame, offset + 2) & 0xffff;
    long call = LittleEndian.getLong(frame, offset + 4);
    long left = Math.max(0, LittleEndian.getLong(frame, offset + 12));
    Envelope.Content content =
        Envelope.Content.read(
            frame,
            offset + Envelope.REQUEST_BYTES,
            length - Envelope.REQUEST_BYTES,
            options.maxMessageBytes());
    Consumer<IncomingRequest> handler = handlers.service(service);
    String refusal = null;
    if (!content.fits()) {
      refusal = "its blocks exceed " + options.maxMessageBytes() + " bytes";
    } else if (handler == null) {
      refusal = "there is no service " + service;
    } else if (peer.requests.containsKey(call)) {
      refusal = "there is a request of this number";
    }
    if (refusal != null) {
      refuse(peer, call, content, length, refusal);
      return;
    }
    long deadline = clock.nanoTime() + Math.min(left, Long.MAX_VALUE / 4);
    arrivals.receive(
        peer,
        content,
        true,
        message ->
            begin(
                peer,
                handler,
                new IncomingRequest(
                    this,
                    peer,
                    call,
                    Envelope.PRIORITIES.get(level),
                    message == null ? Message.of(new byte[0]) : message,
                    length,
                    deadline),
                message == null));
  }

  private void refuse(Peer peer, long call, Envelope.Content content, int credit, String refusal) {
    refused();
    arrivals.discard(peer, content);
    links.release(peer, peer.id(), credit);
    byte[] answer = Envelope.refusal(call, refusal);
    links.submit(peer, new Outbound(answer, answer.length, Priority.NORMAL, false));
  }

  private void begin(
      Peer peer, Consumer<IncomingRequest> handler, IncomingRequest request, boolean lacksMemory) {
    peer.requests.put(request.call, request);
    began();
    if (lacksMemory) {
      request.refuse("there is no memory for its blocks");
    } else if (takesReplies(peer)) {
      handlers.request(handler, request);
    } else {
      peer.parked.add(
          () -> {
            if (!request.isEnded()) {
              handlers.request(handler, request);
            }
          });
    }
  }

  /** Replies need no credit: a peer that does not take them gets no more of its requests run. */
  private boolean takesReplies(Peer peer) {
    return peer.replies.get() <= options.queueBytes();
  }

  /** A peer may have acknowledged messages. */
  void acknowledged(Peer peer) {
    while (!peer.parked.isEmpty() && takesReplies(peer)) {
      peer.parked.poll().run();
    }
  }

  private void reply(Peer peer, byte[] frame, int offset, int length) {
    Envelope.require(length >= Envelope.REPLY_BYTES, "a truncated reply");
    int status = frame[offset + 1];
    PendingCall call = peer.calls.get(LittleEndian.getLong(frame, offset + 4));
    Envelope.Content content =
        Envelope.Content.read(
            frame,
            offset + Envelope.REPLY_BYTES,
            length - Envelope.REPLY_BYTES,
            options.maxMessageBytes());
    if (call == null || !call.beginReply() || !content.fits()) {
      arrivals.discard(peer, content);
      if (call != null && !content.fits()) {
        call.giveUp("its reply is longer than maxMessageBytes", null);
      }
      return; // given up before, or forged
    }
    if (status < 0) {
      call.refused(
          new String(
              frame, content.offset(), Math.max(0, content.length()), StandardCharsets.UTF_8));
      return;
    }
    call.arriving(arrivals.receive(peer, content, false, call.taker(status, content)));
  }

  private void control(Peer peer, byte[] frame, int offset, int length) {
    hold(peer, length);
    int kind = frame[offset + 1] & 0xff;
    byte[] content = new byte[length - Envelope.HEAD_BYTES];
    System.arraycopy(frame, offset + Envelope.HEAD_BYTES, content, 0, content.length);
    AgentId from = peer.id();
    refuseUnless(handlers.control(from, kind, content));
    links.release(peer, from, length);
  }

  private void cancel(Peer peer, byte[] frame, int offset, int length) {
    Envelope.require(length == Envelope.REPLY_BYTES, "a malformed cancellation");
    IncomingRequest request = peer.requests.get(LittleEndian.getLong(frame, offset + 4));
    if (request != null) {
      request.refuse("the caller gave it up");
    }
  }

  private void pull(Peer peer, byte[] frame, int offset, int length) {
    Envelope.require(length == Envelope.PULL_BYTES, "a malformed pull");
    if (LittleEndian.getInt(frame, offset + 36) != peer.connection) {
      return; // of an earlier connection: the peer asks again
    }
    refuseUnless(
        supplies.pull(
            peer.id(),
            LittleEndian.getLong(frame, offset + 4),
            LittleEndian.getLong(frame, offset + 12),
            LittleEndian.getLong(frame, offset + 20),
            LittleEndian.getLong(frame, offset + 28)));
  }

  // The lives of peers.

  void connected(Peer peer) {
    arrivals.connected(peer);
    announceStart(peer);
    handlers.joined(peer.id());
    wake();
  }

  void lost(Peer peer, AgentId life, JGlooException cause) {
    arrivals.end(peer);
    supplies.end(life);
    for (IncomingRequest request : List.copyOf(peer.requests.values())) {
      request.refuse("the caller is lost");
    }
    peer.requests.clear();
    peer.parked.clear();
    reported();
    for (PendingCall call : List.copyOf(peer.calls.values())) {
      call.giveUp("the agent is lost", cause);
    }
    handlers.lost(life, cause);
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
