package io.jgloo.collectives;

/** Element types a collective can carry. */
public enum DataType {
  /** 8-bit two's complement integer. */
  INT8(1, Family.INTEGER),
  /** 8-bit unsigned integer. */
  UINT8(1, Family.INTEGER),
  /** 16-bit two's complement integer. */
  INT16(2, Family.INTEGER),
  /** 16-bit unsigned integer. */
  UINT16(2, Family.INTEGER),
  /** 32-bit two's complement integer. */
  INT32(4, Family.INTEGER),
  /** 32-bit unsigned integer. */
  UINT32(4, Family.INTEGER),
  /** 64-bit two's complement integer. */
  INT64(8, Family.INTEGER),
  /** 64-bit unsigned integer. */
  UINT64(8, Family.INTEGER),
  /** IEEE 754 binary16: 5 exponent and 10 fraction bits. */
  FLOAT16(2, Family.FLOAT),
  /** The upper half of a binary32: 8 exponent and 7 fraction bits. */
  BFLOAT16(2, Family.FLOAT),
  /** IEEE 754 binary32. */
  FLOAT32(4, Family.FLOAT),
  /** IEEE 754 binary64. */
  FLOAT64(8, Family.FLOAT),
  /** One byte; zero is false, anything else is true. Results are 0 or 1. */
  BOOL(1, Family.BOOLEAN);

  enum Family {
    INTEGER,
    FLOAT,
    BOOLEAN
  }

  private final int bytes;
  private final Family family;

  DataType(int bytes, Family family) {
    this.bytes = bytes;
    this.family = family;
  }

  /** Size of one element. */
  public int bytes() {
    return bytes;
  }

  Family family() {
    return family;
  }
}
