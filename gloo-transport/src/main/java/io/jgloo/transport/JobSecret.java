package io.jgloo.transport;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;

/**
 * The secret that the processes of a job have in common, by which they recognize each other.
 *
 * <p>It is only used to derive keys, and cannot be read: no accessor, message or {@code toString}
 * has it. Attackers who see messages can try guesses, so it should be random: {@code head -c 32
 * /dev/urandom | base64}.
 *
 * <p><i>Threads</i>: any.
 */
public final class JobSecret {

  /**
   * A key derived from a {@link JobSecret} for one use: computes and checks message authentication
   * codes (HMAC-SHA256).
   *
   * <p>The key itself cannot be read. <i>Threads</i>: any.
   */
  public static final class JobKey {

    /** Length of a code. */
    public static final int MAC_BYTES = 32;

    private final byte[] key;

    JobKey(byte[] key) {
      this.key = key;
    }

    /**
     * The code of these parts. Their lengths count too: the same bytes cut into other parts have
     * another code.
     */
    public byte[] mac(byte[]... parts) {
      Mac mac = Hkdf.hmac(key);
      for (byte[] part : parts) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
        mac.update(part);
      }
      return mac.doFinal();
    }

    /** Whether this is the code of these parts; the time does not depend on where it differs. */
    public boolean verifies(byte[] mac, byte[]... parts) {
      return MessageDigest.isEqual(mac(parts), mac);
    }

    @Override
    public String toString() {
      return "JobKey";
    }
  }

  /** The least length of a secret. */
  public static final int MIN_BYTES = 16;

  /** The greatest length of a secret. */
  public static final int MAX_BYTES = 4096;

  /** Environment variable with the secret. */
  public static final String VARIABLE = "GLOO_SECRET";

  /** Environment variable with the name of the file of the secret. */
  public static final String FILE_VARIABLE = "GLOO_SECRET_FILE";

  private static final byte[] SALT = ascii("jgloo job secret 1");
  private static final int ID_BYTES = 16;

  private final byte[] pseudorandomKey;

  private JobSecret(byte[] secret) {
    pseudorandomKey = Hkdf.extract(SALT, secret);
  }

  /**
   * A secret of these bytes, which are not kept.
   *
   * @throws IllegalArgumentException if they are fewer than 16 or more than 4096
   */
  public static JobSecret of(byte[] secret) {
    return of(secret, "the job secret");
  }

  /**
   * Reads a secret from a file. Line ends at its end do not count.
   *
   * @throws IllegalArgumentException if it is not a regular file, or is owned by a user who is
   *     neither this process's nor root, or may be accessed by others: its mode must be 0600 or
   *     less, of root's files 0640; or if its length is out of range
   * @throws UnavailableException if it cannot be read
   */
  public static JobSecret read(Path file) {
    return of(withoutLineEnd(SecretFile.read(file)), "the job secret in " + file);
  }

  /**
   * The secret in {@code GLOO_SECRET}, or in the file named by {@code GLOO_SECRET_FILE}; empty if
   * neither is set. Empty variables count as not set.
   *
   * @throws IllegalArgumentException if both are set, or as {@link #read}
   * @throws UnavailableException as {@link #read}
   */
  public static Optional<JobSecret> fromEnvironment(Map<String, String> variables) {
    String text = variables.getOrDefault(VARIABLE, "");
    String file = variables.getOrDefault(FILE_VARIABLE, "");
    if (!text.isEmpty() && !file.isEmpty()) {
      throw new IllegalArgumentException(
          VARIABLE + " and " + FILE_VARIABLE + " are both set; set one of them");
    }
    if (!file.isEmpty()) {
      return Optional.of(read(Path.of(file)));
    }
    byte[] bytes = withoutLineEnd(text.getBytes(StandardCharsets.UTF_8));
    return text.isEmpty() ? Optional.empty() : Optional.of(of(bytes, VARIABLE));
  }

  private static JobSecret of(byte[] secret, String name) {
    if (secret.length < MIN_BYTES || secret.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          ("the length of " + name + " must be " + MIN_BYTES + " to " + MAX_BYTES)
              + (" bytes, is " + secret.length));
    }
    return new JobSecret(secret);
  }

  private static byte[] withoutLineEnd(byte[] bytes) {
    int length = bytes.length;
    while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == '\r')) {
      length--;
    }
    return Arrays.copyOf(bytes, length);
  }

  /**
   * The key for one use in one incarnation of a group: HKDF-SHA256 of secret, use, group and epoch.
   */
  public JobKey key(String use, String group, long epoch) {
    return new JobKey(expand(use, group, epoch, JobKey.MAC_BYTES));
  }

  /** What names the job in public: 16 bytes that the secret determines, but do not reveal. */
  public byte[] jobId() {
    return expand("job id", "", 0, ID_BYTES);
  }

  private byte[] expand(String use, String group, long epoch, int length) {
    byte[] first = ascii(use);
    byte[] second = group.getBytes(StandardCharsets.UTF_8);
    ByteBuffer info =
        ByteBuffer.allocate(2 * Integer.BYTES + first.length + second.length + Long.BYTES);
    info.putInt(first.length).put(first).putInt(second.length).put(second).putLong(epoch);
    return Hkdf.expand(pseudorandomKey, info.array(), length);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    return "JobSecret";
  }
}
