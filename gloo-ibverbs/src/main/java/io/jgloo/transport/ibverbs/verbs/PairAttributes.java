package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;
import java.util.function.LongConsumer;

/** The steps of a queue pair from new to ready to send, and to error, by {@code ibv_modify_qp}. */
final class PairAttributes {

  private static final int INITIALIZED = 1;
  private static final int READY_TO_RECEIVE = 2;
  private static final int READY_TO_SEND = 3;
  private static final int ERROR = 6;

  // enum ibv_qp_attr_mask: which members are set.
  private static final int STATE = 1;
  private static final int ACCESS = 1 << 3;
  private static final int KEY_INDEX = 1 << 4;
  private static final int PORT = 1 << 5;
  private static final int ROUTE = 1 << 7;
  private static final int MTU = 1 << 8;
  private static final int TIMEOUT = 1 << 9;
  private static final int RETRIES = 1 << 10;
  private static final int RNR_RETRIES = 1 << 11;
  private static final int RECEIVE_PACKET = 1 << 12;
  private static final int READS_ORIGIN = 1 << 13;
  private static final int MIN_RNR_TIMER = 1 << 15;
  private static final int SEND_PACKET = 1 << 16;
  private static final int READS_TARGET = 1 << 17;
  private static final int REMOTE_NUMBER = 1 << 20;

  private PairAttributes() {}

  static void toInitialized(QueuePair pair, int port, int access) throws VerbsException {
    modify(
        pair,
        "INIT",
        STATE | KEY_INDEX | PORT | ACCESS,
        at -> {
          Memory.putInt(at + Layout.ATTRIBUTE_STATE, INITIALIZED);
          Memory.putShort(at + Layout.ATTRIBUTE_KEY_INDEX, (short) 0);
          Memory.putByte(at + Layout.ATTRIBUTE_PORT, (byte) port);
          Memory.putInt(at + Layout.ATTRIBUTE_ACCESS, access);
        });
  }

  static void toReadyToReceive(QueuePair pair, PairRoute route) throws VerbsException {
    modify(
        pair,
        "RTR",
        STATE | ROUTE | MTU | REMOTE_NUMBER | RECEIVE_PACKET | READS_TARGET | MIN_RNR_TIMER,
        at -> {
          Memory.putInt(at + Layout.ATTRIBUTE_STATE, READY_TO_RECEIVE);
          Memory.putInt(at + Layout.ATTRIBUTE_MTU, route.mtu());
          Memory.putInt(at + Layout.ATTRIBUTE_REMOTE_NUMBER, route.remoteNumber());
          Memory.putInt(at + Layout.ATTRIBUTE_RECEIVE_PACKET, route.remotePacket());
          Memory.putByte(at + Layout.ATTRIBUTE_READS_TARGET, (byte) route.maxReads());
          Memory.putByte(at + Layout.ATTRIBUTE_MIN_RNR_TIMER, (byte) route.minRnrTimer());
          route(at, route);
        });
  }

  private static void route(long at, PairRoute route) {
    Memory.putShort(at + Layout.ATTRIBUTE_REMOTE_LID, (short) route.remoteLid());
    Memory.putByte(at + Layout.ATTRIBUTE_SERVICE_LEVEL, (byte) route.serviceLevel());
    Memory.putByte(at + Layout.ATTRIBUTE_ROUTE_PORT, (byte) route.port());
    if (route.global()) {
      Memory.putByte(at + Layout.ATTRIBUTE_GLOBAL, (byte) 1);
      // A GID is 16 bytes in the order of the network, whatever the processor's.
      Memory.putLong(at + Layout.ATTRIBUTE_REMOTE_GID, swapped(route.remoteGid().high()));
      Memory.putLong(at + Layout.ATTRIBUTE_REMOTE_GID + 8, swapped(route.remoteGid().low()));
      Memory.putByte(at + Layout.ATTRIBUTE_GID_INDEX, (byte) route.gidIndex());
      Memory.putByte(at + Layout.ATTRIBUTE_HOP_LIMIT, (byte) route.hopLimit());
      Memory.putByte(at + Layout.ATTRIBUTE_TRAFFIC_CLASS, (byte) route.trafficClass());
    }
  }

  /**
   * From the network's byte order to this processor's, or back; both supported ones are
   * little-endian.
   */
  static long swapped(long value) {
    return Long.reverseBytes(value);
  }

  static void toReadyToSend(QueuePair pair, PairTimers timers) throws VerbsException {
    modify(
        pair,
        "RTS",
        STATE | SEND_PACKET | TIMEOUT | RETRIES | RNR_RETRIES | READS_ORIGIN,
        at -> {
          Memory.putInt(at + Layout.ATTRIBUTE_STATE, READY_TO_SEND);
          Memory.putInt(at + Layout.ATTRIBUTE_SEND_PACKET, timers.firstPacket());
          Memory.putByte(at + Layout.ATTRIBUTE_TIMEOUT, (byte) timers.timeout());
          Memory.putByte(at + Layout.ATTRIBUTE_RETRIES, (byte) timers.retries());
          Memory.putByte(at + Layout.ATTRIBUTE_RNR_RETRIES, (byte) timers.rnrRetries());
          Memory.putByte(at + Layout.ATTRIBUTE_READS_ORIGIN, (byte) timers.maxReads());
        });
  }

  static void toError(QueuePair pair) throws VerbsException {
    modify(pair, "ERR", STATE, at -> Memory.putInt(at + Layout.ATTRIBUTE_STATE, ERROR));
  }

  private static void modify(QueuePair pair, String state, int mask, LongConsumer fill)
      throws VerbsException {
    try (Scratch attributes = Scratch.of(Layout.ATTRIBUTE_BYTES)) {
      fill.accept(attributes.at());
      int errno = Libibverbs.ibv_modify_qp(pair.handle(), attributes.at(), mask);
      if (errno != 0) {
        throw Libibverbs.error("ibv_modify_qp to " + state, errno);
      }
    }
  }
}
