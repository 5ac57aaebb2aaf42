package io.jgloo.transport.ibverbs;

import io.jgloo.transport.JGlooException;
import io.jgloo.transport.PeerLostException;
import io.jgloo.transport.ProtocolException;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.AsyncEvent;
import io.jgloo.transport.ibverbs.verbs.WorkStatus;

/** Turns what a device reports into exceptions that name the peer and what was reported. */
final class Diagnosis {

  private Diagnosis() {}

  /**
   * Whether the cause is at the peer or in the network, so that a better cause may arrive too: an
   * abort notice, a goodbye or the end of its process.
   */
  static boolean isRemote(WorkStatus status) {
    return switch (status) {
      case FLUSHED,
          BAD_RESPONSE_ERROR,
          REMOTE_INVALID_REQUEST_ERROR,
          REMOTE_ACCESS_ERROR,
          REMOTE_OPERATION_ERROR,
          REMOTE_INVALID_READ_REQUEST,
          REMOTE_ABORTED,
          RETRIES_EXCEEDED,
          RNR_RETRIES_EXCEEDED,
          RESPONSE_TIMEOUT ->
          true;
      default -> false;
    };
  }

  /**
   * What a failed work request means.
   *
   * @param who the peer, as text
   * @param text the library's text for the status
   */
  static JGlooException ofStatus(
      int peer, String who, boolean send, WorkStatus status, int vendorError, String text) {
    String reported =
        " (%s, status %d, vendor error 0x%x, %s)"
            .formatted(text, status.code(), vendorError, send ? "send" : "receive");
    return switch (status) {
      case RETRIES_EXCEEDED, RNR_RETRIES_EXCEEDED, RESPONSE_TIMEOUT, REMOTE_ABORTED ->
          new PeerLostException(peer, who + " does not answer any more" + reported, null);
      case REMOTE_OPERATION_ERROR, FLUSHED ->
          new PeerLostException(peer, who + " broke the connection" + reported, null);
      case REMOTE_ACCESS_ERROR ->
          new ProtocolException(who + " denied access to its memory" + reported);
      case REMOTE_INVALID_REQUEST_ERROR, REMOTE_INVALID_READ_REQUEST ->
          new ProtocolException(who + " rejected a request as invalid" + reported);
      case BAD_RESPONSE_ERROR -> new ProtocolException(who + " sent a bad response" + reported);
      case LOCAL_LENGTH_ERROR ->
          new ProtocolException(who + " sent more bytes than a receive holds" + reported);
      default ->
          new UnavailableException("the RDMA device failed on the connection to " + who + reported);
    };
  }

  /** What an asynchronous event means to a mesh, or null if it is information only. */
  static JGlooException ofEvent(AsyncEvent event, int peer, String who, String text) {
    String reported = " (%s, event %d)".formatted(text, event.type());
    return switch (event.type()) {
      case AsyncEvent.QUEUE_ERROR ->
          new UnavailableException("the completion queue has failed" + reported);
      case AsyncEvent.PAIR_FATAL ->
          new PeerLostException(peer, "the queue pair to " + who + " has failed" + reported, null);
      case AsyncEvent.PAIR_REQUEST_ERROR ->
          new ProtocolException(who + " sent an invalid request" + reported);
      case AsyncEvent.PAIR_ACCESS_ERROR ->
          new ProtocolException(who + " accessed memory without permission" + reported);
      case AsyncEvent.DEVICE_FATAL ->
          new UnavailableException("the RDMA device has failed" + reported);
      case AsyncEvent.PORT_ERROR ->
          new UnavailableException("the port of the RDMA device is down" + reported);
      case AsyncEvent.PATH_MIGRATION_ERROR,
          AsyncEvent.SHARED_QUEUE_ERROR,
          AsyncEvent.WORK_QUEUE_FATAL ->
          new UnavailableException("the RDMA device reports a failure" + reported);
      default -> null;
    };
  }
}
