package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import java.io.IOException;
import java.util.Arrays;

/**
 * An accepted connection: must send a hello within the deadline.
 *
 * <p>Until the hello has been read whole, it costs two small arrays; it is closed if its first
 * eight bytes are not those of a hello. A connection that joins gets a welcome, and becomes the
 * pair's when it has confirmed.
 */
final class IncomingConnection extends ControlConnection {

  private final byte[] hello = new byte[Hello.BYTES];
  private int read;
  private Hello said;
  private byte[] body; // an abort notice, or an offer of shared memory
  private int bodyRead;
  private byte[] answer;
  private int written;
  private TcpMesh host; // once it is to be a pair's, when it has confirmed
  private final byte[] confirmation = new byte[Confirmation.BYTES];
  private int confirmed;

  IncomingConnection(ControlLoop loop, Link link, long deadlineNanos) {
    super(loop, link, deadlineNanos);
  }

  @Override
  void ready() throws IOException {
    while (said == null && link.readable) {
      read += read(hello, read);
      checkMagic();
      if (read == Hello.BYTES) {
        said = Hello.decode(hello);
        body = new byte[said.bodyLength()];
      }
    }
    while (said != null && bodyRead < body.length && link.readable) {
      bodyRead += read(body, bodyRead);
    }
    if (said != null && bodyRead == body.length && answer == null) {
      TcpMesh mesh = loop.device().find(said.target());
      if (mesh != null && !loop.enter(mesh, this)) {
        return;
      }
      try {
        answer(mesh);
      } finally {
        if (mesh != null) {
          mesh.unlock();
        }
      }
    }
    if (answer != null && written < answer.length) {
      flush();
    }
    if (host != null && written == answer.length) {
      join();
    }
  }

  private void checkMagic() {
    byte[] magic = new byte[Long.BYTES];
    for (int i = 0; i < magic.length; i++) {
      magic[i] = (byte) (Hello.MAGIC >>> (8 * (magic.length - 1 - i)));
    }
    int known = Math.min(read, magic.length);
    if (!Arrays.equals(hello, 0, known, magic, 0, known)) {
      throw new ProtocolException("the first bytes are not a hello");
    }
  }

  private void answer(TcpMesh mesh) {
    byte[] failureNotice = loop.device().failureNotices().find(said.target());
    boolean joins = said.purpose() == Hello.Purpose.JOIN || said.purpose() == Hello.Purpose.SUMMON;
    if (said.purpose() == Hello.Purpose.ASK) {
      answer = AwaitedRanks.answer(loop.device(), mesh, said);
    } else if (joins && failureNotice != null) {
      answer = failed(failureNotice);
    } else if (mesh == null) {
      answer = new Welcome(Welcome.Status.UNKNOWN, 0, 0, 0).encode();
    } else if (said.purpose() == Hello.Purpose.PROBE) {
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

  private void accepted(TcpMesh mesh, Welcome welcome) {
    if (said.purpose() == Hello.Purpose.NOTICE) {
      mesh.tasks().noticed(body, said.rank());
    } else if (said.purpose() == Hello.Purpose.SUMMON) {
      mesh.connectionTable().summoned(said.rank());
    } else {
      host = mesh;
      if (body.length > 0) {
        answer = welcome.encodeWith(mesh.localMemory().attach(said, body, this).encode());
      }
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
   * An accepted connection may confirm as long as its mesh is open: the peer treats the pair as
   * connected from then on. A peer that drops the attempt closes the connection.
   */
  @Override
  boolean isLate(long now) {
    return host == null ? super.isLate(now) : host.hasEnded();
  }

  @Override
  void failed(IOException cause) {
    if (host == null) { // else its dialler has given it up
      loop.countRefused(link, cause);
    }
  }
}
