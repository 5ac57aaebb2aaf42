package io.jgloo.rendezvous.store;

import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.TlsOptions;
import java.util.Map;
import java.util.Optional;

/**
 * By what a {@link TcpStore} and its clients authenticate each other: the job's secret,
 * certificates, both or neither. Other stores do not use them.
 *
 * <p>Threads: any.
 *
 * @param secret that both sides must prove to have
 * @param tls files for TLS, which also encrypts the connections. The certificate of a peer must be
 *     of the same job; its rank is not checked
 */
public record StoreCredentials(Optional<JobSecret> secret, Optional<TlsOptions> tls) {
  /** Neither: every process that reaches the server can use it. */
  public static final StoreCredentials NONE =
      new StoreCredentials(Optional.empty(), Optional.empty());

  /**
   * Those of a device with these options.
   *
   * @throws IllegalArgumentException if the attributes for TLS are incomplete, or the file of the
   *     secret is invalid
   */
  public static StoreCredentials of(DeviceOptions options) {
    return new StoreCredentials(options.secret(), TlsOptions.of(options));
  }

  /**
   * Those of the variables {@code GLOO_SECRET}, {@code GLOO_SECRET_FILE} and {@code GLOO_TLS_...}.
   *
   * @throws IllegalArgumentException as {@link JobSecret#fromEnvironment} and {@link
   *     TlsOptions#fromEnvironment}
   */
  public static StoreCredentials fromEnvironment(Map<String, String> variables) {
    return new StoreCredentials(
        JobSecret.fromEnvironment(variables), TlsOptions.fromEnvironment(variables));
  }

  /** Whether processes are authenticated. */
  public boolean authenticate() {
    return secret.isPresent() || tls.isPresent();
  }
}
