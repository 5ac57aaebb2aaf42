package io.jgloo.ps.kv;

/** A way to send fewer bytes, which a worker asks for and a server accepts. */
public enum KvFilter {
  /** A list of keys that the server has from an earlier request is sent as its digest. */
  KEY_CACHE,

  /** Values as IEEE 754 binary16: 11 bits of precision, at most 65504. */
  FLOAT16,

  /** Values as bfloat16: 8 bits of precision, the range of a float. */
  BFLOAT16,

  /**
   * Values as 8-bit integers with a scale for each 256 values: the error of a value is at most
   * 1/254 of the greatest one of the 256. A value that is not finite makes all 256 NaN.
   */
  INT8;

  /** Whether it is a way to write values. */
  boolean isEncoding() {
    return this == FLOAT16 || this == BFLOAT16 || this == INT8;
  }
}
