package io.jgloo.bench.operation;

import io.jgloo.collectives.DataType;
import io.jgloo.collectives.ReduceOp;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes an allreduce must give, element by element. */
public final class Reference {

  private Reference() {}

  /** Of float32 sums. */
  public static byte[] floatSums(int ranks, int count, int round) {
    Values values = new Values(DataType.FLOAT32, ReduceOp.SUM, ranks);
    ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.nativeOrder());
    for (int index = 0; index < count; index++) {
      double sum = 0;
      for (int rank = 0; rank < ranks; rank++) {
        sum += Float.intBitsToFloat((int) values.bits(rank, index % Pattern.PERIOD, round));
      }
      bytes.putFloat((float) sum);
    }
    return bytes.array();
  }
}
