package io.jgloo;

import io.jgloo.collectives.execution.Staged;
import io.jgloo.transport.memory.Memory;
import java.nio.Buffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Elements in an array, or in a heap buffer that hides its array.
 *
 * <p><em>Threads</em>: any, as far as the elements allow.
 */
final class HeapMemory implements Staged {

  private Object holder;
  private int first;
  private int elementBytes;

  /** Elements of a primitive array or a buffer from an index on. */
  void at(Object holder, int first, int elementBytes) {
    this.holder = holder;
    this.first = first;
    this.elementBytes = elementBytes;
  }

  /** What holds the elements, or null. */
  Object holder() {
    return holder;
  }

  /** Whether so many bytes of these elements and so many of those have any in common. */
  boolean overlaps(long bytes, HeapMemory other, long otherBytes) {
    return holder == other.holder
        && first < other.first + otherBytes / elementBytes
        && other.first < first + bytes / elementBytes;
  }

  /** Whether these elements begin where those do. */
  boolean isSameAs(HeapMemory other) {
    return holder == other.holder && first == other.first;
  }

  @Override
  public void load(long offset, long target, long bytes) {
    int index = first + (int) (offset / elementBytes);
    int count = (int) (bytes / elementBytes);
    if (holder instanceof float[] floats) {
      Memory.copy(floats, index, target, count);
    } else if (holder instanceof double[] doubles) {
      Memory.copy(doubles, index, target, count);
    } else if (holder instanceof int[] ints) {
      Memory.copy(ints, index, target, count);
    } else if (holder instanceof long[] longs) {
      Memory.copy(longs, index, target, count);
    } else if (holder instanceof byte[] octets) {
      Memory.copy(octets, index, target, count);
    } else {
      loadView(index, target, count);
    }
  }

  @Override
  public void store(long source, long offset, long bytes) {
    int index = first + (int) (offset / elementBytes);
    int count = (int) (bytes / elementBytes);
    if (holder instanceof float[] floats) {
      Memory.copy(source, floats, index, count);
    } else if (holder instanceof double[] doubles) {
      Memory.copy(source, doubles, index, count);
    } else if (holder instanceof int[] ints) {
      Memory.copy(source, ints, index, count);
    } else if (holder instanceof long[] longs) {
      Memory.copy(source, longs, index, count);
    } else if (holder instanceof byte[] octets) {
      Memory.copy(source, octets, index, count);
    } else {
      storeView(source, index, count);
    }
  }

  /** Element by element: such buffers, views of a heap ByteBuffer, are rare. */
  private void loadView(int index, long target, int count) {
    for (int i = 0; i < count; i++) {
      long to = target + (long) i * elementBytes;
      if (holder instanceof FloatBuffer floats) {
        Memory.putFloat(to, floats.get(index + i));
      } else if (holder instanceof DoubleBuffer doubles) {
        Memory.putDouble(to, doubles.get(index + i));
      } else if (holder instanceof IntBuffer ints) {
        Memory.putInt(to, ints.get(index + i));
      } else {
        Memory.putLong(to, ((LongBuffer) holder).get(index + i));
      }
    }
  }

  private void storeView(long source, int index, int count) {
    for (int i = 0; i < count; i++) {
      long from = source + (long) i * elementBytes;
      if (holder instanceof FloatBuffer floats) {
        floats.put(index + i, Memory.getFloat(from));
      } else if (holder instanceof DoubleBuffer doubles) {
        doubles.put(index + i, Memory.getDouble(from));
      } else if (holder instanceof IntBuffer ints) {
        ints.put(index + i, Memory.getInt(from));
      } else {
        ((LongBuffer) holder).put(index + i, Memory.getLong(from));
      }
    }
  }

  @Override
  public String toString() {
    return holder instanceof Buffer ? holder.toString() : "array from index " + first;
  }
}
