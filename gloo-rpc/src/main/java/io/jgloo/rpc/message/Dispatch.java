package io.jgloo.rpc.message;

import io.jgloo.rpc.agent.AgentId;
import io.jgloo.rpc.agent.Priority;
import io.jgloo.rpc.bytes.LittleEndian;
import io.jgloo.rpc.codec.Message;
import io.jgloo.transport.JGlooException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Hands on what the messages of peers say: requests to services, replies to calls, control messages
 * to handlers.
 *
 * <p><i>Threads</i>: the one that runs the agent's events.
 */
final class Dispatch implements PeerSessions.Listener {

  private final MessengerState core;

  Dispatch(MessengerState core) {
    this.core = core;
  }

  @Override
  public void received(Peer peer, byte[] frame, int offset, int length) {
    Envelope.require(length >= Envelope.HEAD_BYTES, "a message of " + length + " bytes");
    switch (frame[offset]) {
      case Envelope.REQUEST -> request(peer, frame, offset, length);
      case Envelope.REPLY -> reply(peer, frame, offset, length);
      case Envelope.CONTROL -> control(peer, frame, offset, length);
      case Envelope.CANCEL -> cancel(peer, frame, offset, length);
      case Envelope.PULL -> pull(peer, frame, offset, length);
      case Envelope.RELEASE -> {
        Envelope.require(length == Envelope.REPLY_BYTES, "a malformed release");
        refuseUnless(core.supplies.release(peer.id(), LittleEndian.getLong(frame, offset + 4)));
      }
      case Envelope.LEAVING -> {
        peer.leaving = true;
        hold(peer, length);
        core.links.release(peer, peer.id(), length);
        core.reported();
      }
      case Envelope.IDLE -> {
        Envelope.require(length == Envelope.REPLY_BYTES, "a malformed report");
        peer.idleReports.add(LittleEndian.getLong(frame, offset + 4));
        core.reported();
      }
      case Envelope.STARTED -> {
        peer.started = true;
        core.wake();
      }
      default -> Envelope.require(false, "a message of type " + frame[offset]);
    }
  }

  private void refuseUnless(boolean valid) {
    if (!valid) {
      core.refused();
    }
  }

  /** Counts credit that a peer uses; its last message may be longer than all of it. */
  private void hold(Peer peer, int length) {
    boolean first = peer.held == 0;
    peer.held += length;
    Envelope.require(
        first || peer.held <= core.options.windowBytes(),
        "a message beyond the credit of " + core.options.windowBytes() + " bytes");
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
            core.options.maxMessageBytes());
    RequestHandler handler = core.handlers.service(service);
    String refusal = null;
    if (!content.fits()) {
      refusal = "its blocks exceed " + core.options.maxMessageBytes() + " bytes";
    } else if (handler == null) {
      refusal = "there is no service " + service;
    } else if (peer.requests.containsKey(call)) {
      refusal = "there is a request of this number";
    }
    if (refusal != null) {
      refuse(peer, call, content, length, refusal);
      return;
    }
    long deadline = core.clock.nanoTime() + Math.min(left, Long.MAX_VALUE / 4);
    core.arrivals.receive(
        peer,
        content,
        true,
        message ->
            begin(
                peer,
                handler,
                new IncomingRequest(
                    core,
                    peer,
                    call,
                    Envelope.PRIORITIES.get(level),
                    message == null ? Message.of(new byte[0]) : message,
                    length,
                    deadline),
                message == null));
  }

  private void refuse(Peer peer, long call, Envelope.Content content, int credit, String refusal) {
    core.refused();
    core.arrivals.discard(peer, content);
    core.links.release(peer, peer.id(), credit);
    byte[] answer = Envelope.refusal(call, refusal);
    core.links.submit(peer, new Outbound(answer, answer.length, Priority.NORMAL, false));
  }

  private void begin(
      Peer peer, RequestHandler handler, IncomingRequest request, boolean lacksMemory) {
    peer.requests.put(request.call, request);
    core.began();
    if (lacksMemory) {
      request.refuse("there is no memory for its blocks");
    } else if (takesReplies(peer)) {
      core.handlers.request(handler, request);
    } else {
      peer.parked.add(
          () -> {
            if (!request.isEnded()) {
              core.handlers.request(handler, request);
            }
          });
    }
  }

  /** Replies need no credit: a peer that does not take them gets no more of its requests run. */
  private boolean takesReplies(Peer peer) {
    return peer.replies.get() <= core.options.queueBytes();
  }

  @Override
  public void acknowledged(Peer peer) {
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
            core.options.maxMessageBytes());
    if (call == null || !call.beginReply() || !content.fits()) {
      core.arrivals.discard(peer, content);
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
    call.arriving(core.arrivals.receive(peer, content, false, call.taker(status, content)));
  }

  private void control(Peer peer, byte[] frame, int offset, int length) {
    hold(peer, length);
    int kind = frame[offset + 1] & 0xff;
    byte[] content = new byte[length - Envelope.HEAD_BYTES];
    System.arraycopy(frame, offset + Envelope.HEAD_BYTES, content, 0, content.length);
    AgentId from = peer.id();
    refuseUnless(core.handlers.control(from, kind, content));
    core.links.release(peer, from, length);
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
        core.supplies.pull(
            peer.id(),
            LittleEndian.getLong(frame, offset + 4),
            LittleEndian.getLong(frame, offset + 12),
            LittleEndian.getLong(frame, offset + 20),
            LittleEndian.getLong(frame, offset + 28)));
  }

  // The lives of peers.

  @Override
  public void connected(Peer peer) {
    core.arrivals.connected(peer);
    core.announceStart(peer);
    core.handlers.joined(peer.id());
    core.wake();
  }

  @Override
  public void lost(Peer peer, AgentId life, JGlooException cause) {
    core.arrivals.end(peer);
    core.supplies.end(life);
    for (IncomingRequest request : List.copyOf(peer.requests.values())) {
      request.refuse("the caller is lost");
    }
    peer.requests.clear();
    peer.parked.clear();
    core.reported();
    for (PendingCall call : List.copyOf(peer.calls.values())) {
      call.giveUp("the agent is lost", cause);
    }
    core.handlers.lost(life, cause);
  }

  @Override
  public void tick(long now) {
    core.tick(now);
  }
}
