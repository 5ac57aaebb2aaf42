package io.jgloo.rendezvous.store.tcp;

import io.jgloo.rendezvous.store.StoreCredentials;
import io.jgloo.transport.tls.TlsContext;

/**
 * The secret and certificates of a server or client of a store, read from its {@link
 * StoreCredentials}.
 *
 * @param proof null without a job secret
 * @param tls null without TLS
 */
record StoreGuard(StoreProof proof, TlsContext tls) {
  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if a file for TLS holds something else
   * @throws io.jgloo.transport.UnavailableException if a file cannot be read, or the certificate
   *     has expired
   */
  static StoreGuard of(StoreCredentials credentials) {
    return new StoreGuard(
        credentials.secret().map(StoreProof::new).orElse(null),
        credentials.tls().map(TlsContext::open).orElse(null));
  }
}
