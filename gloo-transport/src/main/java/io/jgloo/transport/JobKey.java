package io.jgloo.transport;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import javax.crypto.Mac;

/**
 * A key derived from a {@link JobSecret} for one use: computes and checks message authentication
 * codes (HMAC-SHA256).
 *
 * <p>The key itself cannot be read. <i>Threads</i>: any.
 */
public final class JobKey {

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
