package io.jgloo.transport.tcp;

import io.jgloo.transport.Clock;
import io.jgloo.transport.Liveness;
import io.jgloo.transport.ProtocolException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Short questions and notices to a mesh's listener, outside its pairs; blocking. */
final class SideChannel {

  private static final Logger LOG = System.getLogger(SideChannel.class.getName());
  private static final int NOTICE_MILLIS = 2000;
  private static final long PAUSE_NANOS = 10_000_000L;

  private SideChannel() {}

  /**
   * Asks the process that listens at an endpoint whether it still has that mesh. Whoever hangs up
   * without an answer, as a device does whose guests are too many, is asked again.
   */
  static Liveness probe(Endpoint endpoint, Duration timeout) {
    long deadlineNanos = System.nanoTime() + Clock.nanos(timeout);
    long left = Clock.nanos(timeout);
    do {
      try {
        int millis = (int) Math.max(1, Math.min(left / 1_000_000, Integer.MAX_VALUE));
        Welcome welcome = ask(endpoint, Hello.probe(endpoint.incarnation()), new byte[0], millis);
        return welcome.verdict() == Welcome.Verdict.ACCEPTED ? Liveness.ALIVE : Liveness.GONE;
      } catch (SocketTimeoutException e) {
        return Liveness.UNKNOWN;
      } catch (ConnectException e) {
        return Liveness.GONE; // refused: nobody listens there any more
      } catch (ProtocolException e) {
        LOG.log(Level.DEBUG, "whatever listens at {0} is not a mesh: {1}", endpoint, e);
        return Liveness.GONE;
      } catch (IOException e) {
        LOG.log(Level.DEBUG, "{0} did not answer: {1}", endpoint, e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      left = deadlineNanos - System.nanoTime();
    } while (left > 0);
    return Liveness.UNKNOWN;
  }

  /**
   * Brings an abort notice to peers whose streams are stuck or were never opened; tries once each,
   * in a thread of its own.
   */
  static void tell(TcpMesh mesh, List<Endpoint> endpoints, byte[] notice) {
    if (endpoints.isEmpty()) {
      return;
    }
    Thread thread =
        new Thread(() -> endpoints.forEach(each -> tell(mesh, each, notice)), "gloo-notice");
    thread.setDaemon(true);
    thread.start();
  }

  private static void tell(TcpMesh mesh, Endpoint endpoint, byte[] notice) {
    Hello hello =
        Hello.notice(mesh.membership(), mesh.incarnation(), endpoint.incarnation(), notice.length);
    try {
      ask(endpoint, hello, notice, NOTICE_MILLIS);
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.DEBUG, "{0} could not be told of an abort: {1}", endpoint, e.getMessage());
    }
  }

  private static Welcome ask(Endpoint endpoint, Hello hello, byte[] notice, int millis)
      throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(endpoint.listener(), millis);
      socket.setSoTimeout(millis);
      socket.setTcpNoDelay(true);
      byte[] request = new byte[Hello.BYTES + notice.length];
      System.arraycopy(hello.encode(), 0, request, 0, Hello.BYTES);
      System.arraycopy(notice, 0, request, Hello.BYTES, notice.length);
      OutputStream out = socket.getOutputStream();
      out.write(request);
      out.flush();
      byte[] answer = socket.getInputStream().readNBytes(Welcome.BYTES);
      if (answer.length < Welcome.BYTES) {
        throw new IOException("closed without a welcome");
      }
      return Welcome.decode(answer);
    }
  }
}
