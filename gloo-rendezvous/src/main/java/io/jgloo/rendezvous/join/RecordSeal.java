package io.jgloo.rendezvous.join;

import io.jgloo.transport.AuthenticationException;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.JobSecret.JobKey;
import io.jgloo.transport.Membership;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Marks what a process writes into a store as its job's, if there is a job secret, and checks what
 * it reads. A value is then
 *
 * <pre>
 *    0  u32  "JGM1"
 *    4  16 B id of the job
 *   20  32 B MAC of the key and of the payload
 *   52  payload, to the end                                               big-endian
 * </pre>
 *
 * <p>The key of the MAC depends on use, group and epoch, so a value cannot be moved to another
 * place. Ranks give their keys without the prefix GROUP@EPOCH.
 *
 * <p><em>Threads</em>: any.
 */
public final class RecordSeal {
  private static final int MAGIC = 0x4a474d31;
  private static final int ID_BYTES = 16;
  private static final int MAC_AT = Integer.BYTES + ID_BYTES;
  private static final int PAYLOAD_AT = MAC_AT + JobKey.MAC_BYTES;

  private final @Nullable JobKey key; // null without a secret
  private final byte[] jobId;

  private RecordSeal(@Nullable JobKey key, byte[] jobId) {
    this.key = key;
    this.jobId = jobId;
  }

  /** The seal of what the ranks of a group write. */
  public static RecordSeal of(Optional<JobSecret> secret, Membership membership) {
    return of(secret, "record", membership.group(), membership.epoch());
  }

  /**
   * The seal of one use in one incarnation of a group.
   *
   * @param secret empty: values are written as they are, and only sealed ones are refused
   */
  public static RecordSeal of(Optional<JobSecret> secret, String use, String group, long epoch) {
    return secret
        .map(s -> new RecordSeal(s.key(use, group, epoch), s.jobId()))
        .orElse(new RecordSeal(null, new byte[ID_BYTES]));
  }

  /** The value to write for a key; equal payloads have equal values. */
  public byte[] seal(String name, byte[] payload) {
    if (key == null) {
      return payload;
    }
    return ByteBuffer.allocate(PAYLOAD_AT + payload.length)
        .putInt(MAGIC)
        .put(jobId)
        .put(key.mac(utf8(name), payload))
        .put(payload)
        .array();
  }

  /** Whether a process of this job has written the value for this key. */
  public boolean isAuthentic(String name, byte[] value) {
    return whyForeign(name, value).isEmpty();
  }

  /** Why a value is not of this job; empty if it is. */
  public Optional<String> whyForeign(String name, byte[] value) {
    if (!isSealed(value)) {
      return key == null
          ? Optional.empty()
          : Optional.of("it has no MAC: the process that wrote it has no job secret");
    }
    byte[] id = Arrays.copyOfRange(value, Integer.BYTES, MAC_AT);
    if (key == null) {
      return Optional.of("it is of job " + shown(id) + ", this rank has no job secret");
    }
    if (!Arrays.equals(id, jobId)) {
      return Optional.of("it is of job " + shown(id) + ", this rank is of job " + shown(jobId));
    }
    byte[] mac = Arrays.copyOfRange(value, MAC_AT, PAYLOAD_AT);
    return key.verifies(mac, utf8(name), payload(value))
        ? Optional.empty()
        : Optional.of("its MAC is wrong");
  }

  /**
   * What was sealed.
   *
   * @throws AuthenticationException if no process of this job has written the value
   */
  public byte[] open(String name, byte[] value) {
    Optional<String> foreign = whyForeign(name, value);
    if (foreign.isPresent()) {
      throw new AuthenticationException(
          "key " + name + " of the store is not of this job: " + foreign.get());
    }
    return payload(value);
  }

  /** What was sealed, whether it is authentic or not. */
  public byte[] payload(byte[] value) {
    return isSealed(value) ? Arrays.copyOfRange(value, PAYLOAD_AT, value.length) : value;
  }

  private static boolean isSealed(byte[] value) {
    return value.length >= PAYLOAD_AT && ByteBuffer.wrap(value).getInt() == MAGIC;
  }

  private static String shown(byte[] id) {
    return HexFormat.of().formatHex(id, 0, 4);
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
