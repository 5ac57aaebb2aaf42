package io.jgloo.transport.tcp.connect;

import io.jgloo.transport.JobSecret;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.tcp.socket.Link;
import io.jgloo.transport.tcp.wire.AuthenticationFailure;
import io.jgloo.transport.tcp.wire.Challenge;
import io.jgloo.transport.tcp.wire.Confirmation;
import io.jgloo.transport.tcp.wire.Hello;
import io.jgloo.transport.tcp.wire.Welcome;
import io.jgloo.transport.tcp.wire.WireVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * An accepted connection: must send a hello within the deadline.
 *
 * <p>Until the hello has been read whole, it costs two small arrays; it is closed if its first
 * eight bytes are not those of a hello. A connection that joins gets a welcome, and becomes the
 * pair's when it has confirmed.
 */
public final class IncomingConnection extends ControlConnection {

  private static final byte TLS_HANDSHAKE = 22; // RFC 8446, 5.1, as the next
  private static final byte TLS_MAJOR = 3;

  /**
   * A client hello of TLS, or a hello of another version, has less; after more bytes than this the
   * answer may be lost.
   */
  private static final int MOST_OF_REST = 16 << 10;

  private final byte[] hello = new byte[Hello.BYTES];
  private int read;
  private Hello said;
  private byte[] body; // an abort notice, or an offer of shared memory
  private int bodyRead;
  private byte[] answer;
  private int written;
  private Proof.Listening proof; // once a challenge has come
  private boolean proved;
  private boolean refused; // for a secret, or its version
  private ConnectMesh host; // once it is to be a pair's, when it has confirmed
  private long confirmByNanos;
  private final byte[] confirmation = new byte[Confirmation.BYTES];
  private int confirmed;

  IncomingConnection(ControlLoop loop, Link link, long deadlineNanos) {
    super(loop, link, deadlineNanos);
  }

  @Override
  void ready() throws IOException {
    if (!link.secure()) {
      return;
    }
    while (proof == null && awaitsHello()) {
      readHello();
    }
    if (proof != null && !proof.answer(this)) {
      return;
    }
    while (awaitsHello()) {
      readHello();
    }
    while (said != null && bodyRead < body.length && link.readable) {
      bodyRead += read(body, bodyRead);
    }
    if (said != null && bodyRead == body.length && answer == null) {
      if (!isProved()) {
        return;
      }
      if (answer == null && !answer()) {
        return;
      }
    }
    if (answer != null && written < answer.length) {
      flush();
    }
    if (host != null && written == answer.length) {
      join();
    }
  }

  private boolean awaitsHello() {
    return said == null && answer == null && link.readable;
  }

  /** Reads a part of the hello, or of the challenge that a device with a job secret sends first. */
  private void readHello() throws IOException {
    read += read(hello, read);
    if (read >= Long.BYTES && WireVersion.isOther(hello)) {
      if (read >= WireVersion.BYTES) {
        refuseVersion();
      }
    } else if (proof == null && begins(Challenge.MAGIC) && read >= Long.BYTES) {
      if (read >= Challenge.BYTES) {
        challenged();
      }
    } else if (proof == null && read >= 2 && hello[0] == TLS_HANDSHAKE && hello[1] == TLS_MAJOR) {
      readRest();
      refuse(Welcome.Status.NO_TLS, "it uses TLS, this device does not");
    } else if (!begins(Hello.MAGIC) && !(proof == null && begins(Challenge.MAGIC))) {
      throw new ProtocolException("the first bytes are not a hello");
    } else if (read == Hello.BYTES) {
      said = Hello.decode(hello);
      body = new byte[said.bodyLength()];
    }
  }

  /** Unread bytes would make the kernel throw the answer away. */
  private void readRest() throws IOException {
    byte[] unused = new byte[hello.length];
    for (int left = MOST_OF_REST; link.readable && left > 0; left -= unused.length) {
      read(unused, 0);
    }
  }

  /** A peer of another version: both sides report the versions of both. */
  private void refuseVersion() throws IOException {
    readRest();
    answer = new Welcome(Welcome.Status.OTHER_VERSION, 0, 0, 0).encode();
    refused = true;
    try {
      WireVersion.requireSame(hello, read);
    } catch (WireVersion.OtherVersion e) {
      loop.countRefused(link, e);
    }
  }

  /** Whether what has arrived begins with these bytes, or is the beginning of them. */
  private boolean begins(long word) {
    byte[] magic = ByteBuffer.allocate(Long.BYTES).putLong(word).array();
    int known = Math.min(read, magic.length);
    return Arrays.equals(hello, 0, known, magic, 0, known);
  }

  /** The other side has a job secret. */
  private void challenged() throws IOException {
    JobSecret secret = loop.device().secret().orElse(null);
    if (secret == null) {
      refuse(Welcome.Status.NO_SECRET, "it has a job secret, this device has none");
      return;
    }
    if (read > Challenge.BYTES) {
      throw new ProtocolException("bytes follow a challenge before its answer");
    }
    proof = new Proof.Listening(secret, loop.device().platform(), hello);
    read = 0;
  }

  /** Whether the hello may be answered; if it may not, the answer may be a refusal. */
  private boolean isProved() throws IOException {
    if (loop.device().secret().isEmpty()) {
      return true;
    }
    if (proof == null) {
      refuse(Welcome.Status.SECRET_NEEDED, "it has no job secret");
      return true;
    }
    proved = proved || proof.checkRequest(this, said, hello, body);
    return proved;
  }

  private void refuse(Welcome.Status status, String reason) {
    answer = new Welcome(status, 0, 0, 0).encode();
    refused = true;
    loop.countRefused(link, new AuthenticationFailure(reason));
  }

  /** Answers the hello; false, and it is tried again later, if another thread has the mesh. */
  private boolean answer() {
    ConnectMesh mesh = loop.device().find(said.target());
    if (mesh != null && !loop.enter(mesh, this)) {
      return false;
    }
    try {
      answer(mesh);
      answer = proof == null ? answer : proof.sealAnswer(answer);
      return true;
    } finally {
      if (mesh != null) {
        mesh.unlock();
      }
    }
  }

  private void answer(ConnectMesh mesh) {
    byte[] failureNotice = loop.device().failureNotices().find(said.target());
    boolean joins = said.purpose() == Hello.Purpose.JOIN || said.purpose() == Hello.Purpose.SUMMON;
    boolean probes = said.purpose() == Hello.Purpose.PROBE;
    if (said.purpose() == Hello.Purpose.ASK && link.mayBe(said.rank())) {
      answer = BlockerSearch.answer(loop.device(), mesh, said);
    } else if (!probes && !link.mayBe(said.rank())) {
      String claim = link.identity() + ", but it claims to be rank " + said.rank();
      refuse(Welcome.Status.WRONG_CERTIFICATE, "its certificate is of " + claim);
    } else if (joins && failureNotice != null) {
      answer = failed(failureNotice);
    } else if (mesh == null) {
      answer = new Welcome(Welcome.Status.UNKNOWN, 0, 0, 0).encode();
    } else if (probes) {
      answer = new Welcome(Welcome.Status.ACCEPTED, mesh.size(), 0, 0).encode();
    } else {
      Welcome welcome = mesh.connectionTable().answerTo(said);
      answer = welcome.encode();
      if (welcome.status() == Welcome.Status.ACCEPTED) {
        accepted(mesh, welcome);
      }
    }
    loop.identified(this);
  }

  private static byte[] failed(byte[] failureNotice) {
    return new Welcome(Welcome.Status.FAILED, 0, failureNotice.length, 0).encodeWith(failureNotice);
  }

  private void accepted(ConnectMesh mesh, Welcome welcome) {
    if (said.purpose() == Hello.Purpose.NOTICE) {
      mesh.noticed(body, said.rank());
    } else if (said.purpose() == Hello.Purpose.SUMMON) {
      mesh.connectionTable().summoned(said.rank());
    } else {
      if (body.length > 0) {
        answer =
            welcome.encodeWith(
                mesh.localMemory().attach(said.rank(), said.source(), body, this::keep).encode());
      }
      host = mesh; // not before: bytes that are no offer make it a refused connection
      confirmByNanos = loop.confirmByNanos();
    }
  }

  private void flush() throws IOException {
    while (written < answer.length && link.writable) {
      written += write(answer, written);
    }
    if (written == answer.length && host == null) {
      drop();
    }
  }

  private void join() throws IOException {
    while (confirmed < confirmation.length && link.readable) {
      confirmed += read(confirmation, confirmed);
    }
    if (confirmed < confirmation.length) {
      return;
    }
    if (!loop.enter(host, this)) {
      return;
    }
    try {
      if (!Confirmation.decode(confirmation, segment() != null)) {
        discardSegment();
      }
      loop.settle(link);
      leave();
      Link pairs = pairLink();
      pairs.closeUnless(() -> host.connectionTable().addConnection(said, pairs));
    } finally {
      host.unlock();
    }
  }

  /**
   * An accepted connection has ten times the timeout of a handshake to confirm. The peer treats the
   * pair as connected from then on, so it does not confirm after half of that time; a peer that
   * drops the attempt closes the connection.
   */
  @Override
  boolean isLate(long now) {
    return host == null ? super.isLate(now) : host.hasEnded() || now - confirmByNanos >= 0;
  }

  @Override
  void failed(IOException cause) {
    if (host != null || refused) {
      return; // its dialler has given it up, or it was counted
    }
    boolean silent = proof != null && !proved && !(cause instanceof AuthenticationFailure);
    String reason = "it did not prove to have the job secret: ";
    loop.countRefused(
        link, silent ? new AuthenticationFailure(reason + cause.getMessage(), cause) : cause);
  }
}
