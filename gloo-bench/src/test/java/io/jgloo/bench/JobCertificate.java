package io.jgloo.bench;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files for TLS of a job on this machine, valid for all its ranks ({@code tls-rank=any}).
 *
 * @param certificate of the job
 * @param key of the certificate, which its owner can read
 * @param authority that has signed the certificate
 */
record JobCertificate(Path certificate, Path key, Path authority) {

  /** Makes an authority and a certificate. */
  static JobCertificate create(Path folder) throws IOException {
    try {
      X509Bundle authority =
          new CertificateBuilder()
              .subject("CN=authority of this machine")
              .setIsCertificateAuthority(true)
              .ecp256()
              .buildSelfSigned();
      X509Bundle own =
          new CertificateBuilder()
              .subject("CN=rank")
              .addSanUriName("jgloo://bench")
              .ecp256()
              .buildIssuedBy(authority);
      return new JobCertificate(
          Files.writeString(folder.resolve("certificate.pem"), own.getCertificatePEM()),
          Files.writeString(ownersOnly(folder.resolve("key.pem")), own.getPrivateKeyPEM()),
          Files.writeString(folder.resolve("authority.pem"), authority.getCertificatePEM()));
    } catch (IOException e) {
      throw e;
    } catch (Exception e) { // what the builder declares
      throw new IOException("cannot make a certificate in " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Creates an empty file that its owner alone can read. */
  static Path ownersOnly(Path file) throws IOException {
    FileAttribute<?> mode =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    return Files.createFile(file, mode);
  }
}
