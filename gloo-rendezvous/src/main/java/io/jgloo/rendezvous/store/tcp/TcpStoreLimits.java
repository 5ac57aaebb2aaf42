package io.jgloo.rendezvous.store.tcp;

import java.time.Duration;

/**
 * Limits of a {@link StoreServer}; a client that exceeds one is disconnected.
 *
 * @param clients connections at once; further ones are closed at once
 * @param handshakes connections at once that have not shown the magic number; a further one costs
 *     the oldest of them its place
 * @param handshakeTimeout how long a connection may take to show it
 * @param stallTimeout how long an incomplete request, or a client that sends requests without
 *     reading the replies, may make no progress
 * @param requestBytes memory for one request that is being received
 * @param receivingBytes memory for all requests that are being received or wait for their keys, of
 *     which a quarter, at most 1 MiB, is for those of up to 64 KiB; counted apart, replies that
 *     clients have not read may take as much
 * @param storedBytes memory for all keys and values
 */
public record TcpStoreLimits(
    int clients,
    int handshakes,
    Duration handshakeTimeout,
    Duration stallTimeout,
    long requestBytes,
    long receivingBytes,
    long storedBytes) {

  /** Enough for 10,000 ranks, and less than the memory of a small JVM. */
  public static final TcpStoreLimits DEFAULT =
      new TcpStoreLimits(
          65_536,
          4_096,
          Duration.ofSeconds(5),
          Duration.ofSeconds(60),
          64L << 20,
          256L << 20,
          256L << 20);

  /** These limits with another number of connections. */
  TcpStoreLimits withClients(int clients, int handshakes) {
    return new TcpStoreLimits(
        clients,
        handshakes,
        handshakeTimeout,
        stallTimeout,
        requestBytes,
        receivingBytes,
        storedBytes);
  }

  /** These limits with other times. */
  TcpStoreLimits withTimeouts(Duration handshakeTimeout, Duration stallTimeout) {
    return new TcpStoreLimits(
        clients,
        handshakes,
        handshakeTimeout,
        stallTimeout,
        requestBytes,
        receivingBytes,
        storedBytes);
  }

  /** These limits with other amounts of memory. */
  TcpStoreLimits withMemory(long requestBytes, long receivingBytes, long storedBytes) {
    return new TcpStoreLimits(
        clients,
        handshakes,
        handshakeTimeout,
        stallTimeout,
        requestBytes,
        receivingBytes,
        storedBytes);
  }
}
