package io.jgloo.transport.tcp;

import io.jgloo.transport.ProtocolException;
import java.io.IOException;
import java.util.List;

/** One attempt to ask a peer whom it waits for: connects, says hello, reads the answer. */
final class Inquiry extends Visitor {

  private final BlockerSearch search;
  private final int peer;
  private final byte[] hello;
  private final byte[] answer = new byte[Welcome.BYTES];
  private boolean connected;
  private int written;
  private int read;
  private Welcome welcome;
  private byte[] body;
  private int bodyRead;

  Inquiry(ControlLoop loop, Link link, BlockerSearch search, int peer, Hello hello, long deadline) {
    super(loop, link, deadline);
    this.search = search;
    this.peer = peer;
    this.hello = hello.encode();
  }

  @Override
  void ready() throws IOException {
    if (!connected) {
      if (!link.writable || !link.finishConnect()) {
        return;
      }
      connected = true;
    }
    while (written < hello.length && link.writable) {
      written += write(hello, written);
    }
    while (read < answer.length && link.readable) {
      read += read(answer, read);
    }
    if (read == answer.length && welcome == null) {
      welcome = Welcome.decode(answer);
      body = new byte[bodyLength()];
    }
    while (welcome != null && bodyRead < body.length && link.readable) {
      bodyRead += read(body, bodyRead);
    }
    if (welcome != null && bodyRead == body.length) {
      answered();
    }
  }

  /** Checked before anything is allocated. */
  private int bodyLength() {
    long longest =
        switch (welcome.verdict()) {
          case ACCEPTED -> (long) Integer.BYTES * search.mesh().size();
          case FAILED -> AbortNotice.MAX_BYTES;
          default -> 0;
        };
    if (longest > 0 && (welcome.window() < 0 || welcome.window() > longest)) {
      throw new ProtocolException("an answer of " + welcome.window() + " bytes");
    }
    return longest == 0 ? 0 : (int) welcome.window();
  }

  private void answered() {
    switch (welcome.verdict()) {
      case ACCEPTED -> {
        List<Integer> peers = Awaited.decode(body, search.mesh().size());
        drop();
        search.answered(peer, peers);
      }
      case FAILED -> {
        search.mesh().noticed(body);
        drop();
        search.left();
      }
      default -> {
        drop(); // it has left the group, and has said so to those connected to it
        search.left();
      }
    }
  }

  @Override
  boolean isLate(long now) {
    return super.isLate(now) || search.mesh().hasEnded();
  }

  @Override
  void failed(IOException cause) {
    search.failed(peer, deadlineNanos);
  }
}
