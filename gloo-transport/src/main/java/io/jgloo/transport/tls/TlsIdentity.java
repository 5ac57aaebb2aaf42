package io.jgloo.transport.tls;

import java.net.URI;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;

/**
 * The identity of a process in a certificate: {@code jgloo://JOB/RANK} or {@code jgloo://JOB}, a
 * URI among its subject alternative names.
 *
 * @param job name of the job
 * @param rank of the process, if the certificate names one
 */
public record TlsIdentity(String job, OptionalInt rank) {

  private static final String SCHEME = "jgloo";
  private static final int URI_NAME = 6; // its number in RFC 5280

  /**
   * @throws CertificateException if it names no process of a job, or several
   */
  public static TlsIdentity of(X509Certificate certificate) throws CertificateException {
    TlsIdentity found = null;
    for (List<?> name : names(certificate)) {
      boolean ours =
          name.get(0).equals(URI_NAME) && name.get(1).toString().startsWith(SCHEME + ":");
      if (ours && found != null) {
        throw new CertificateException("the certificate names two processes: " + name.get(1));
      } else if (ours) {
        found = parse(name.get(1).toString());
      }
    }
    if (found == null) {
      throw new CertificateException(
          "the certificate of "
              + certificate.getSubjectX500Principal()
              + " has no subject alternative name jgloo://JOB/RANK");
    }
    return found;
  }

  private static Collection<List<?>> names(X509Certificate certificate)
      throws CertificateParsingException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    return names == null ? List.of() : names;
  }

  private static TlsIdentity parse(String text) throws CertificateException {
    try {
      URI uri = new URI(text);
      String path = uri.getRawPath() == null ? "" : uri.getRawPath();
      if (SCHEME.equals(uri.getScheme()) && uri.getRawAuthority() != null) {
        boolean all = path.isEmpty() || path.equals("/");
        OptionalInt rank =
            all ? OptionalInt.empty() : OptionalInt.of(Integer.parseUnsignedInt(path.substring(1)));
        return new TlsIdentity(uri.getRawAuthority(), rank);
      }
    } catch (java.net.URISyntaxException | NumberFormatException e) {
      throw new CertificateException(refusal(text), e);
    }
    throw new CertificateException(refusal(text));
  }

  private static String refusal(String text) {
    return "the name " + text + " in the certificate must be jgloo://JOB/RANK";
  }

  @Override
  public String toString() {
    return SCHEME + "://" + job + (rank.isPresent() ? "/" + rank.getAsInt() : "");
  }
}
