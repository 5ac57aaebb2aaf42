package io.jgloo.ps.kv;

/** How values of floats and doubles are written in messages; the ordinal is the number there. */
public enum ValueEncoding {
  /** As they are. */
  EXACT,

  /** As IEEE 754 binary16: 11 bits of precision, at most 65504. */
  FLOAT16,

  /** As bfloat16: 8 bits of precision, the range of a float. */
  BFLOAT16,

  /**
   * As 8-bit integers with a scale for each 256 values: the error of a value is at most 1/254 of
   * the greatest one of the 256. A value that is not finite makes all 256 NaN.
   */
  INT8
}
