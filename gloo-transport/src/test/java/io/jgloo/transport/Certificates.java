package io.jgloo.transport;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Certificates of a job's ranks, made for one run and signed by an authority of its own. */
public final class Certificates {

  /** The job that they name. */
  public static final String JOB = "tests";

  private static final Certificates OURS = new Certificates();
  private static final AtomicLong CHANGES = new AtomicLong();

  private final X509Bundle authority = authority();

  private static X509Bundle authority() {
    try {
      return new CertificateBuilder()
          .subject("CN=authority of tests")
          .setIsCertificateAuthority(true)
          .notBefore(Instant.now().minus(Duration.ofDays(30)))
          .notAfter(Instant.now().plus(Duration.ofDays(30)))
          .ecp256()
          .buildSelfSigned();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** An authority that no other process trusts. */
  public static Certificates ofAnother() {
    return new Certificates();
  }

  /** The files of a rank, valid for two weeks. */
  public static TlsOptions of(int rank) {
    return OURS.named(rank, "jgloo://" + JOB + "/" + rank);
  }

  /** The files of a process with this name, or without any. */
  public TlsOptions named(int rank, String name) {
    return files(name, Instant.now().plus(Duration.ofDays(14)), true);
  }

  /** The files of a process with this name, signed by the authority of this run. */
  public static TlsOptions of(String name, Instant expiry, boolean checksRank) {
    return OURS.files(name, expiry, checksRank);
  }

  private TlsOptions files(String name, Instant expiry, boolean checksRank) {
    try {
      Path directory = Files.createTempDirectory("jgloo-tls");
      directory.toFile().deleteOnExit(); // before its files: those are deleted first
      TlsOptions options =
          new TlsOptions(
              directory.resolve("certificate.pem"),
              directory.resolve("key.pem"),
              directory.resolve("authority.pem"),
              checksRank);
      Files.writeString(options.authority(), authority.getCertificatePEM());
      Files.createFile(
          options.key(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      write(options, name, expiry);
      for (Path file : new Path[] {options.certificate(), options.key(), options.authority()}) {
        file.toFile().deleteOnExit();
      }
      return options;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces certificate and key by others of the authority of this run. */
  public static void renew(TlsOptions options, String name, Instant expiry) {
    try {
      OURS.write(options, name, expiry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(TlsOptions options, String name, Instant expiry) throws IOException {
    try {
      CertificateBuilder builder =
          new CertificateBuilder()
              .subject("CN=process")
              .notBefore(Instant.now().minus(Duration.ofDays(20)))
              .notAfter(expiry)
              .ecp256();
      X509Bundle bundle =
          (name == null ? builder : builder.addSanUriName(name)).buildIssuedBy(authority);
      Files.writeString(options.certificate(), bundle.getCertificatePEM());
      Files.writeString(options.key(), bundle.getPrivateKeyPEM());
      // Files written within a tick of the file system's clock differ all the same.
      long tick = CHANGES.incrementAndGet();
      Files.setLastModifiedTime(options.certificate(), FileTime.fromMillis(1000 * tick));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
