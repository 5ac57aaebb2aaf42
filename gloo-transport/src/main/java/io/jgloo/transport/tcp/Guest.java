package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import java.io.IOException;
import java.util.Arrays;

/**
 * A connection somebody made to us: says hello within the deadline, or goes.
 *
 * <p>Until the hello has been read whole, it costs one small array; the first eight bytes that are
 * not ours end it.
 */
final class Guest extends Visitor {

  private final byte[] hello = new byte[Hello.BYTES];
  private int read;
  private Hello said;
  private byte[] notice;
  private int noticeRead;
  private byte[] answer;
  private int written;

  Guest(ControlLoop loop, Link link, long deadlineNanos) {
    super(loop, link, deadlineNanos);
  }

  @Override
  void ready() throws IOException {
    while (said == null && link.readable) {
      read += read(hello, read);
      refuseStrangers();
      if (read == Hello.BYTES) {
        said = Hello.decode(hello);
        notice = new byte[said.noticeLength()];
      }
    }
    while (said != null && noticeRead < notice.length && link.readable) {
      noticeRead += read(notice, noticeRead);
    }
    if (said != null && noticeRead == notice.length && answer == null) {
      answer();
    }
    if (answer != null && !isGone()) {
      flush();
    }
  }

  /** Whether it has said what it came for; its answer may still be on its way. */
  boolean hasSaidHello() {
    return answer != null;
  }

  private void refuseStrangers() {
    byte[] magic = new byte[Long.BYTES];
    for (int i = 0; i < magic.length; i++) {
      magic[i] = (byte) (Hello.MAGIC >>> (8 * (magic.length - 1 - i)));
    }
    int known = Math.min(read, magic.length);
    if (!Arrays.equals(hello, 0, known, magic, 0, known)) {
      throw new ProtocolException("the first bytes are no hello");
    }
  }

  private void answer() throws IOException {
    TcpMesh mesh = loop.device().find(said.target());
    if (mesh == null) {
      answer = new Welcome(Welcome.Verdict.UNKNOWN, 0, 0, 0).encode();
    } else if (said.purpose() == Hello.Purpose.JOIN) {
      join(mesh);
    } else if (said.purpose() == Hello.Purpose.NOTICE) {
      Welcome welcome = mesh.roster().judge(said);
      if (welcome.verdict() == Welcome.Verdict.ACCEPTED) {
        mesh.noticed(notice);
      }
      answer = welcome.encode();
    } else {
      answer = new Welcome(Welcome.Verdict.ACCEPTED, mesh.size(), 0, 0).encode();
    }
  }

  /** The answer must be on its way before the pair may send: its few bytes fit any fresh socket. */
  private void join(TcpMesh mesh) throws IOException {
    Welcome welcome = mesh.roster().judge(said);
    answer = welcome.encode();
    if (welcome.verdict() != Welcome.Verdict.ACCEPTED) {
      return;
    }
    if (link.hasEnded()) {
      // We were slow, and it has given this attempt up: as a pair it would be a lost peer at once.
      drop();
      return;
    }
    flush();
    if (written < answer.length) {
      throw new IOException("a fresh socket took only " + written + " bytes");
    }
    loop.settle(link);
    leave();
    if (!mesh.roster().greet(said, link)) {
      link.close();
    }
  }

  private void flush() throws IOException {
    while (written < answer.length && link.writable) {
      written += write(answer, written);
    }
    if (written == answer.length && said.purpose() != Hello.Purpose.JOIN) {
      drop();
    } else if (written == answer.length
        && Welcome.decode(answer).verdict() != Welcome.Verdict.ACCEPTED) {
      drop();
    }
  }

  @Override
  void failed(IOException cause) {
    loop.countRefused(link, cause);
  }
}
