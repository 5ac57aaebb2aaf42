package io.jgloo.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The files by which a process uses TLS, each in PEM format.
 *
 * <p>The certificate names job and rank in a subject alternative name that is a URI: {@code
 * jgloo://JOB/RANK}, or {@code jgloo://JOB} if it names no rank.
 *
 * <p><i>Threads</i>: any.
 *
 * @param certificate of this process, followed by those of intermediate authorities
 * @param key its private key, PKCS #8 without a password
 * @param authority certificates of the authorities that sign those of the job's processes
 * @param checksRank whether a peer's certificate must name the rank that the peer has in a group
 */
public record TlsOptions(Path certificate, Path key, Path authority, boolean checksRank) {

  /** Environment variables with the names of the three files. */
  public static final List<String> VARIABLES =
      List.of("GLOO_TLS_CERTIFICATE", "GLOO_TLS_KEY", "GLOO_TLS_CA");

  /** Environment variable that says which ranks certificates must name: {@code own} or any. */
  public static final String RANK_VARIABLE = "GLOO_TLS_RANK";

  /** The attributes of a device that hold the same. */
  public static final List<String> ATTRIBUTES = List.of("tls-certificate", "tls-key", "tls-ca");

  /** The attribute that says which ranks certificates must name: {@code own} or any. */
  public static final String RANK_ATTRIBUTE = "tls-rank";

  /**
   * The options in the environment; empty if no file is named there. Empty variables count as not
   * set.
   *
   * @throws IllegalArgumentException if some of the files are named and others are not
   */
  public static Optional<TlsOptions> fromEnvironment(Map<String, String> variables) {
    return of(VARIABLES, RANK_VARIABLE, variables);
  }

  /**
   * The options in attributes of a device; empty if no file is named there.
   *
   * @throws IllegalArgumentException if some of the files are named and others are not
   */
  public static Optional<TlsOptions> of(DeviceOptions options) {
    return of(ATTRIBUTES, RANK_ATTRIBUTE, options.attributes());
  }

  private static Optional<TlsOptions> of(
      List<String> names, String rankName, Map<String, String> all) {
    List<String> files = names.stream().map(name -> all.getOrDefault(name, "")).toList();
    String rank = all.getOrDefault(rankName, "");
    if (files.stream().allMatch(String::isEmpty) && rank.isEmpty()) {
      return Optional.empty();
    }
    if (files.contains("")) {
      throw new IllegalArgumentException(
          "TLS needs all of " + names + ", but " + names.get(files.indexOf("")) + " is not set");
    }
    if (!Set.of("", "own", "any").contains(rank)) {
      throw new IllegalArgumentException(rankName + " must be own or any, is '" + rank + "'");
    }
    return Optional.of(
        new TlsOptions(
            Path.of(files.get(0)),
            Path.of(files.get(1)),
            Path.of(files.get(2)),
            !rank.equals("any")));
  }

  /** The attributes of a device that hold these options. */
  public DeviceOptions addTo(DeviceOptions options) {
    return options
        .with(ATTRIBUTES.get(0), certificate)
        .with(ATTRIBUTES.get(1), key)
        .with(ATTRIBUTES.get(2), authority)
        .with(RANK_ATTRIBUTE, checksRank ? "own" : "any");
  }

  /**
   * Checks that the files exist, and that only this process's user and root can read the key.
   *
   * @throws IllegalArgumentException if others may access the key
   * @throws UnavailableException if a file does not exist or cannot be read
   */
  public void requireFiles() {
    for (Path file : List.of(certificate, key, authority)) {
      if (!Files.isReadable(file)) {
        throw new UnavailableException("the TLS file " + file + " cannot be read");
      }
    }
    try {
      SecretFile.requirePrivate(key, "the TLS key ");
    } catch (IOException e) {
      throw new UnavailableException("cannot read the TLS key " + key + ": " + e, e);
    }
  }
}
