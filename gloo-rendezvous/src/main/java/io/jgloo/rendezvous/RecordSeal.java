package io.jgloo.rendezvous;

import io.jgloo.transport.JobKey;
import io.jgloo.transport.JobSecret;
import io.jgloo.transport.Membership;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Marks what a rank writes into the store as its job's, if there is a job secret, and checks what
 * it reads. A value is then
 *
 * <pre>
 *    0  u32  "JGM1"
 *    4  16 B id of the job
 *   20  32 B MAC of the key below GROUP@EPOCH and of the payload
 *   52  payload, to the end                                               big-endian
 * </pre>
 *
 * <p>The key of the MAC depends on group and epoch, so a value cannot be moved to another place.
 */
final class RecordSeal {
  private static final int MAGIC = 0x4a474d31;
  private static final int ID_BYTES = 16;
  private static final int MAC_AT = Integer.BYTES + ID_BYTES;
  private static final int PAYLOAD_AT = MAC_AT + JobKey.MAC_BYTES;

  private final JobKey key; // null without a secret
  private final byte[] jobId;

  private RecordSeal(JobKey key, byte[] jobId) {
    this.key = key;
    this.jobId = jobId;
  }

  static RecordSeal of(Optional<JobSecret> secret, Membership membership) {
    return secret
        .map(
            s -> new RecordSeal(s.key("record", membership.group(), membership.epoch()), s.jobId()))
        .orElse(new RecordSeal(null, new byte[ID_BYTES]));
  }

  byte[] seal(String name, byte[] payload) {
    if (key == null) {
      return payload;
    }
    return ByteBuffer.allocate(PAYLOAD_AT + payload.length)
        .putInt(MAGIC)
        .put(jobId)
        .put(key.mac(ascii(name), payload))
        .put(payload)
        .array();
  }

  /** Whether a rank of this job has written the value for this key. */
  boolean isAuthentic(String name, byte[] value) {
    return whyForeign(name, value).isEmpty();
  }

  /** Why a value is not of this job; empty if it is. */
  Optional<String> whyForeign(String name, byte[] value) {
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
    return key.verifies(mac, ascii(name), payload(value))
        ? Optional.empty()
        : Optional.of("its MAC is wrong");
  }

  /** What was sealed, whether it is authentic or not. */
  byte[] payload(byte[] value) {
    return isSealed(value) ? Arrays.copyOfRange(value, PAYLOAD_AT, value.length) : value;
  }

  private static boolean isSealed(byte[] value) {
    return value.length >= PAYLOAD_AT && ByteBuffer.wrap(value).getInt() == MAGIC;
  }

  private static String shown(byte[] id) {
    return HexFormat.of().formatHex(id, 0, 4);
  }

  private static byte[] ascii(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
