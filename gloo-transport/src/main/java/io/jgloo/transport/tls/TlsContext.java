package io.jgloo.transport.tls;

import io.jgloo.transport.TlsOptions;
import io.jgloo.transport.UnavailableException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * TLS 1.3 with certificates on both sides, by the files of {@link TlsOptions}.
 *
 * <p>The engines are BoringSSL's if Netty's library with it is there, else the JDK's. A connection
 * that begins after a file has changed uses the new files; if these cannot be used, the old ones
 * stay in use and a log line tells of it.
 *
 * <p><i>Threads</i>: any.
 */
public final class TlsContext {

  private static final Logger LOG = System.getLogger(TlsContext.class.getName());
  private static final Duration EXPIRES_SOON = Duration.ofDays(7);
  private static final String VERSION = "TLSv1.3";

  private final TlsOptions options;
  private Loaded loaded;
  private List<Object> refused = List.of(); // the stamp of files that could not be used

  /** What was read of the files. */
  private record Loaded(
      List<Object> stamp,
      SslContext dialling,
      SslContext listening,
      TlsIdentity identity,
      Instant expiry) {}

  private TlsContext(TlsOptions options, Loaded loaded) {
    this.options = options;
    this.loaded = loaded;
  }

  /**
   * Reads the files.
   *
   * @throws IllegalArgumentException if a file holds something else, the certificate names no
   *     process of a job, or others may access the key
   * @throws UnavailableException if a file cannot be read, or the certificate has expired
   */
  public static TlsContext open(TlsOptions options) {
    options.requireFiles();
    try {
      Loaded loaded = load(options, stamp(options));
      TlsContext context = new TlsContext(options, loaded);
      context.requireValid();
      context.warnOfExpiry();
      LOG.log(
          Level.INFO, "TLS for {0} by {1}, until {2}", loaded.identity, engine(), loaded.expiry);
      return context;
    } catch (IOException e) {
      throw new UnavailableException("cannot use TLS: " + e.getMessage(), e);
    } catch (GeneralSecurityException | RuntimeException e) {
      throw e instanceof UnavailableException unavailable
          ? unavailable
          : new IllegalArgumentException("cannot use " + options + ": " + e.getMessage(), e);
    }
  }

  /** Its files. */
  public TlsOptions options() {
    return options;
  }

  /** The library that encrypts. */
  public static String engine() {
    return provider() == SslProvider.OPENSSL ? OpenSsl.versionString() : "the JDK's engine";
  }

  private static SslProvider provider() {
    return OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
        ? SslProvider.OPENSSL
        : SslProvider.JDK;
  }

  private static List<Object> stamp(TlsOptions options) throws IOException {
    return List.of(stamp(options.certificate()), stamp(options.key()), stamp(options.authority()));
  }

  private static Object stamp(Path file) throws IOException {
    return List.of(Files.getLastModifiedTime(file), Files.size(file));
  }

  private static Loaded load(TlsOptions options, List<Object> stamp)
      throws IOException, CertificateException {
    X509Certificate own;
    try (InputStream in = Files.newInputStream(options.certificate())) {
      own = (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    TlsIdentity identity = TlsIdentity.of(own);
    if (options.checksRank() && identity.rank().isEmpty()) {
      throw new CertificateException(
          ("certificate " + options.certificate() + " names no rank: its name " + identity)
              + " must be jgloo://JOB/RANK, or set tls-rank=any");
    }
    SslContextBuilder dialling =
        SslContextBuilder.forClient()
            .keyManager(options.certificate().toFile(), options.key().toFile())
            .endpointIdentificationAlgorithm(null); // TlsIdentity takes its place
    SslContextBuilder listening =
        SslContextBuilder.forServer(options.certificate().toFile(), options.key().toFile())
            .clientAuth(ClientAuth.REQUIRE);
    return new Loaded(
        stamp,
        build(dialling, options),
        build(listening, options),
        identity,
        own.getNotAfter().toInstant());
  }

  private static SslContext build(SslContextBuilder builder, TlsOptions options)
      throws IOException {
    return builder
        .sslProvider(provider())
        .protocols(VERSION)
        .trustManager(options.authority().toFile())
        .build();
  }

  private void warnOfExpiry() {
    if (loaded.expiry.isBefore(Instant.now().plus(EXPIRES_SOON))) {
      LOG.log(
          Level.WARNING, "certificate {0} expires at {1}", options.certificate(), loaded.expiry);
    }
  }

  private void requireValid() {
    if (loaded.expiry.isBefore(Instant.now())) {
      throw new UnavailableException(
          "the certificate of this process expired at "
              + (loaded.expiry + ": " + options.certificate()));
    }
  }

  /** What the certificate of this process says of it. */
  public synchronized TlsIdentity identity() {
    return loaded.identity;
  }

  /**
   * Checks that this process's certificate names a rank that it wants to have.
   *
   * @throws IllegalArgumentException if it does not
   */
  public void requireOwnRank(int rank) {
    TlsIdentity own = identity();
    if (options.checksRank() && own.rank().getAsInt() != rank) {
      throw new IllegalArgumentException(
          ("rank " + rank + " has the certificate of " + own + " (" + options.certificate())
              + "): give it its own, or set tls-rank=any if ranks of groups differ from those of"
              + " the job");
    }
  }

  /**
   * A SSL context for Netty's pipelines, by the current files.
   *
   * @throws UnavailableException if the certificate of this process has expired
   */
  public synchronized SslContext context(boolean dials) {
    reload();
    requireValid();
    return dials ? loaded.dialling : loaded.listening;
  }

  /**
   * A stream of TLS by the current files.
   *
   * @param dials whether this side has made the connection
   * @throws UnavailableException if the certificate of this process has expired
   */
  public TlsStream stream(TlsStream.Socket socket, boolean dials) {
    SSLEngine engine = context(dials).newEngine(ByteBufAllocator.DEFAULT);
    engine.setUseClientMode(dials);
    return new TlsStream(engine, socket);
  }

  private void reload() {
    try {
      List<Object> now = stamp(options);
      if (now.equals(loaded.stamp) || now.equals(refused)) {
        return;
      }
      refused = now;
      options.requireFiles();
      Loaded next = load(options, now);
      if (!next.identity.equals(loaded.identity)) {
        throw new CertificateException("it is of " + next.identity + ", not " + loaded.identity);
      }
      loaded = next;
      LOG.log(Level.INFO, "certificate {0} is new, until {1}", options.certificate(), next.expiry);
      warnOfExpiry();
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "{0} cannot be used, the certificate before it stays in use until {1}: {2}",
          options.certificate(),
          loaded.expiry,
          e.getMessage());
    }
  }

  /**
   * Checks what the certificate of a peer says; its signature has been checked in the handshake.
   *
   * @throws CertificateException if it is of another job
   */
  public TlsIdentity peer(SSLSession session) throws CertificateException {
    TlsIdentity peer;
    try {
      peer = TlsIdentity.of((X509Certificate) session.getPeerCertificates()[0]);
    } catch (SSLPeerUnverifiedException e) {
      throw new CertificateException("it has no certificate", e);
    }
    TlsIdentity own = identity();
    if (!peer.job().equals(own.job())) {
      throw new CertificateException(
          "it has a certificate of " + peer + ", this process of " + own);
    }
    return peer;
  }

  /**
   * Whether a peer with this identity may be a rank of a group.
   *
   * @param peer of {@link #peer}
   */
  public boolean mayBe(TlsIdentity peer, int rank) {
    return !options.checksRank() || (peer.rank().isPresent() && peer.rank().getAsInt() == rank);
  }

  /** Why a handshake has failed, with the cause at its root. */
  public static String reason(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = String.valueOf(failure.getMessage());
    String last = String.valueOf(root.getMessage());
    return text.contains(last) ? text : text + ": " + last;
  }
}
