package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.JGlooException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.shm.SegmentAnswer;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.AbortNotice;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import io.jgloo.transport.tcp.wire.Confirmation;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.PairOptions;
import io.jgloo.transport.tcp.wire.Welcome;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.List;

/**
 * One attempt of a {@link Dial}: connects, sends the hello, reads the welcome, sends the
 * confirmation.
 */
public final class ConnectAttempt extends ControlConnection {

  private static final byte[] NOTHING = {};

  private final Dial dial;
  private final boolean summons;
  private final Proof.Dialling proof; // null without a secret
  private boolean connected;
  private byte[] hello; // null until it is connected
  private final byte[] answer = new byte[Welcome.BYTES];
  private int written;
  private int read;
  private byte[] notice; // of a mesh that has failed
  private int noticeRead;
  private byte[] segmentAnswer = new byte[SegmentAnswer.FIXED_BYTES];
  private int segmentAnswerRead;

  ConnectAttempt(ControlLoop loop, Link link, Dial dial, long deadlineNanos) {
    super(loop, link, deadlineNanos);
    this.dial = dial;
    proof = Proof.Dialling.of(loop.device());
    summons = !dial.mesh().handshake().dials(dial.peer(), dial.endpoint());
  }

  private byte[] hello() {
    ConnectMesh mesh = mesh();
    Hello first =
        Hello.pairing(
                summons ? Hello.Purpose.SUMMON : Hello.Purpose.JOIN,
                mesh.membership(),
                mesh.incarnation(),
                dial.peer(),
                dial.endpoint().incarnation(),
                mesh.settings().windowBytes())
            .onStripe(dial.pendingLinks().count(), mesh.settings().pair());
    keep(summons ? null : mesh.localMemory().offer(dial));
    if (segment() == null) {
      return first.encode();
    }
    byte[] offer = segment().offer();
    byte[] all = Arrays.copyOf(first.offering(offer.length).encode(), Hello.BYTES + offer.length);
    System.arraycopy(offer, 0, all, Hello.BYTES, offer.length);
    return all;
  }

  @Override
  void ready() throws IOException {
    if (!connected) {
      if (!link.writable || !link.finishConnect()) {
        return;
      }
      connected = true;
    }
    if (!link.secure()) {
      return;
    }
    if (!link.mayBe(dial.peer())) {
      throw new AuthenticationFailure("its certificate is of " + link.identity());
    }
    if (!loop.enter(dial.mesh(), this)) {
      return;
    }
    try {
      proceed();
    } finally {
      dial.mesh().unlock();
    }
  }

  private void proceed() throws IOException {
    if (proof != null && !proof.exchange(this)) {
      return;
    }
    if (hello == null) {
      hello = proof == null ? hello() : proof.sealRequest(hello());
    }
    while (written < hello.length && link.writable) {
      written += write(hello, written);
    }
    while (written == hello.length && read < answer.length && link.readable) {
      read += read(answer, read);
      WireVersion.requireWelcome(answer, read);
    }
    if (read == answer.length) {
      Welcome welcome = decoded();
      if (welcome.status() != Welcome.Status.FAILED) {
        boolean offered = isOffered(welcome);
        if (!offered || readSegmentAnswer()) {
          if (isProved(offered ? segmentAnswer : NOTHING)) {
            welcomed(welcome);
          }
        }
      } else if (readNotice(welcome.window()) && isProved(notice)) {
        drop();
        report(AbortNotice.decode(notice, mesh().rank(), mesh().size()), Outcome.FAILED);
      }
    }
  }

  private Welcome decoded() {
    Welcome welcome = Welcome.decode(answer);
    boolean fits =
        switch (welcome.status()) {
          case NO_SECRET, NO_TLS, OTHER_VERSION -> false; // the answer to other bytes than a hello
          case TLS_NEEDED -> link.identity() == null;
          case WRONG_CERTIFICATE -> link.identity() != null;
          case SECRET_NEEDED -> proof == null;
          default -> true;
        };
    if (!fits) {
      throw new ProtocolException("a welcome has the unexpected status " + welcome.status());
    }
    return welcome;
  }

  private boolean isProved(byte[] body) throws IOException {
    return proof == null || proof.checkAnswer(this, answer, body);
  }

  private boolean isOffered(Welcome welcome) {
    return segment() != null && welcome.status() == Welcome.Status.ACCEPTED;
  }

  private boolean readSegmentAnswer() throws IOException {
    while (segmentAnswerRead < segmentAnswer.length && link.readable) {
      segmentAnswerRead += read(segmentAnswer, segmentAnswerRead);
      if (segmentAnswerRead == SegmentAnswer.FIXED_BYTES) {
        segmentAnswer = Arrays.copyOf(segmentAnswer, SegmentAnswer.length(segmentAnswer));
      }
    }
    return segmentAnswerRead == segmentAnswer.length;
  }

  private boolean readNotice(long length) throws IOException {
    if (length < 1 || length > AbortNotice.MAX_BYTES) {
      throw new ProtocolException("an abort notice of " + length + " bytes");
    }
    if (notice == null) {
      notice = new byte[(int) length];
    }
    while (noticeRead < notice.length && link.readable) {
      noticeRead += read(notice, noticeRead);
    }
    return noticeRead == notice.length;
  }

  private ConnectMesh mesh() {
    return dial.mesh();
  }

  private void welcomed(Welcome welcome) throws IOException {
    if (welcome.status() != Welcome.Status.ACCEPTED) {
      drop();
      report(refusal(welcome), became(welcome.status()));
    } else if (!summons && dial.mesh().connectionTable().wants(dial)) {
      if ((isOffered(welcome) && !isShared()) || loop.mustNotConfirm(deadlineNanos)) {
        drop();
        loop.dial(dial); // with another offer, or without; or in time
        return;
      }
      confirm();
      leave();
      joined(welcome.window());
    } else {
      drop(); // cancelled meanwhile; or the peer was asked to dial, and does
      dial.pendingLinks().drop();
    }
  }

  private boolean isShared() {
    SegmentAnswer found = SegmentAnswer.decode(segmentAnswer);
    boolean proved = found.proves(segment());
    if (!proved) {
      String reason = found.reason().isEmpty() ? "the peer opened other memory" : found.reason();
      mesh().localMemory().declined(dial, reason);
    }
    return proved;
  }

  private void joined(long window) {
    PendingLinks pendingLinks = dial.pendingLinks();
    pendingLinks.add(dial.endpoint().incarnation(), pairLink());
    if (!pendingLinks.isComplete(mesh().settings().connections())) {
      loop.dial(dial);
      return;
    }
    List<Link> links = pendingLinks.take();
    if (!mesh().connectionTable().dialled(dial, links, window)) {
      links.forEach(Link::close);
    }
  }

  /** From here on the peer treats the pair as connected, so only the end of the mesh may follow. */
  private void confirm() throws IOException {
    byte[] confirmation = Confirmation.encode(segment() != null);
    int taken = write(confirmation, 0);
    if (taken < confirmation.length) {
      throw new IOException(
          "a new socket accepted " + taken + " of " + confirmation.length + " bytes");
    }
  }

  private JGlooException refusal(Welcome welcome) {
    ConnectMesh mesh = dial.mesh();
    String who = "rank " + dial.peer() + " at " + where(dial);
    return switch (welcome.status()) {
      case WRONG_SIZE ->
          new ProtocolException(
              who
                  + " is in a group of size "
                  + welcome.size()
                  + ", but this rank in one of "
                  + mesh.size());
      case WRONG_GROUP ->
          new ProtocolException(
              who
                  + " is in another group or epoch ("
                  + welcome.epoch()
                  + ") than "
                  + mesh.membership());
      case WRONG_RANK ->
          new ProtocolException(
              who + " refused the connection: the rank numbers of the two sides differ");
      case WRONG_OPTIONS ->
          new ProtocolException(
              (who + " has " + PairOptions.text(welcome.window()))
                  + mesh.settings().pair().differs());
      case SECRET_NEEDED ->
          new AuthenticationException(
              who + " requires a job secret, but this rank has none: set attribute secret-file");
      case TLS_NEEDED ->
          new AuthenticationException(
              who + " requires TLS, but this rank does not use it: set attribute tls-certificate");
      case WRONG_CERTIFICATE ->
          new AuthenticationException(
              who + " refused this rank's certificate: it names another rank than " + mesh.rank());
      case NOT_YET ->
          new UnavailableException(who + " has not received the addresses of its peers yet");
      case DUPLICATE ->
          new ProtocolException(who + " is already connected to a process of this rank");
      default ->
          new UnavailableException(who + " no longer has this group; its address is out of date");
    };
  }

  @Override
  void failed(IOException cause) {
    if (cause instanceof AuthenticationFailure) {
      String text = "rank " + dial.peer() + " at " + where(dial) + " is not of this job: ";
      JGlooException refused = new AuthenticationException(text + cause.getMessage(), cause);
      report(loop, dial, refused, Outcome.REFUSED);
      return;
    }
    if (cause instanceof WireVersion.OtherVersion) {
      String text = "rank " + dial.peer() + " at " + where(dial) + " cannot be in one group with";
      report(
          new ProtocolException(text + " this rank: " + cause.getMessage(), cause),
          Outcome.REFUSED);
      return;
    }
    Outcome outcome = cause instanceof ConnectException ? Outcome.NO_LISTENER : Outcome.MAY_PASS;
    IOException seen = cause instanceof SocketTimeoutException ? unanswered(connected) : cause;
    report(loop, dial, unreachable(loop, dial, seen), outcome);
  }

  /**
   * What an attempt whose deadline has passed has seen.
   *
   * @param connected whether the peer's host has accepted the connection
   */
  static IOException unanswered(boolean connected) {
    return new SocketTimeoutException(
        connected
            ? "its host accepted the connection, but no answer to the handshake came"
            : "no answer; a firewall may drop the packets");
  }

  /** There is no socket for an attempt, or this process's certificate has expired. */
  static void cannotBegin(ControlLoop loop, Dial dial, IOException cause) {
    if (cause instanceof AuthenticationFailure) {
      JGlooException refused = new AuthenticationException(cause.getMessage(), cause);
      report(loop, dial, refused, Outcome.REFUSED);
    } else {
      report(loop, dial, unreachable(loop, dial, cause), Outcome.MAY_PASS);
    }
  }

  static JGlooException unreachable(ControlLoop loop, Dial dial, IOException cause) {
    String from = loop.device().listener().getAddress().getHostAddress();
    String reason = " cannot be reached from " + from + ": " + cause.getMessage();
    return new UnavailableException("rank " + dial.peer() + " at " + where(dial) + reason, cause);
  }

  private static String where(Dial dial) {
    return String.valueOf(dial.endpoint().listener()).replaceFirst("^[^/]*/", "");
  }

  private static Outcome became(Welcome.Status status) {
    if (!status.mayPass()) {
      return Outcome.REFUSED;
    }
    return status == Welcome.Status.UNKNOWN ? Outcome.ENDED : Outcome.MAY_PASS;
  }

  private void report(JGlooException cause, Outcome outcome) {
    report(loop, dial, cause, outcome);
  }

  private static void report(ControlLoop loop, Dial dial, JGlooException cause, Outcome outcome) {
    dial.pendingLinks().drop();
    dial.mesh().connectionTable().failed(dial, cause, outcome);
    if (outcome != Outcome.REFUSED) {
      loop.redial(dial);
    }
  }

  /** How an attempt to connect has failed. */
  enum Outcome {

    /** The next one may succeed. */
    MAY_PASS,
    /** The peer refuses this rank for good. */
    REFUSED,
    /** The peer's mesh has failed. */
    FAILED,
    /** The peer's device listens, but its mesh has ended. */
    ENDED,
    /** No process listens at the address. */
    NO_LISTENER
  }
}
