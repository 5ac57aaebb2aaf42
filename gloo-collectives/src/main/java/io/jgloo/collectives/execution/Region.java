package io.jgloo.collectives.execution;

import io.jgloo.collectives.Retainable;
import io.jgloo.transport.memory.Memory;
import java.util.Objects;

/**
 * The memory of one operand of a call: at an address, in a heap array, or {@link Staged}.
 *
 * <p>Offsets and lengths are bytes, multiples of the element size.
 *
 * <p><em>Threads</em>: one at a time. An object that describes the memory of a call must not be
 * changed until that call has ended.
 */
public final class Region {

  private long address;
  private long bytes;
  private Object keepAlive;
  private Retainable owner;
  private Object heap;
  private int first;
  private int elementBytes = 1;
  private Staged staged;

  public Region() {}

  /**
   * Memory at an address.
   *
   * @param keepAlive what must stay reachable while the memory is in use, or null; a {@link
   *     Retainable} is retained, too
   */
  public Region at(long address, long bytes, Object keepAlive) {
    set(address, bytes, keepAlive, null);
    owner = keepAlive instanceof Retainable retainable ? retainable : null;
    return this;
  }

  /**
   * Elements of an array of float, double, int, long or byte.
   *
   * @param first index of the first element
   * @param elementBytes size of an element of the array
   */
  public Region heap(Object heap, int first, int elementBytes, long bytes) {
    set(0, bytes, heap, heap);
    this.first = first;
    this.elementBytes = elementBytes;
    return this;
  }

  /** Memory that is copied in a way of its own. */
  public Region staged(Staged staged, long bytes) {
    at(0, bytes, Objects.requireNonNull(staged, "staged"));
    this.staged = staged;
    return this;
  }

  private Region set(long address, long bytes, Object keepAlive, Object heap) {
    this.address = address;
    this.bytes = bytes;
    this.keepAlive = keepAlive;
    this.heap = heap;
    owner = null;
    staged = null;
    return this;
  }

  /** Whether the memory has no address and is copied through staging memory. */
  public boolean isStaged() {
    return heap != null || staged != null;
  }

  /** The address of the first byte; 0 if the memory is staged. */
  public long address() {
    return address;
  }

  public long bytes() {
    return bytes;
  }

  /** The array of primitives that it is part of, or null. */
  Object array() {
    return heap;
  }

  /** Offset of the first byte in the array. */
  long arrayOffset() {
    return (long) first * elementBytes;
  }

  Object keepAlive() {
    return keepAlive;
  }

  /**
   * Retains memory that can be freed explicitly.
   *
   * @return what {@link Retainable#release} is to be called of, or null
   */
  public Retainable retain() {
    if (owner != null) {
      owner.retain();
    }
    return owner;
  }

  /** Its memory if that can be freed explicitly, or null. */
  public Retainable retainable() {
    return owner;
  }

  /** Memory that is copied in a way of its own, or null. */
  public Staged staged() {
    return staged;
  }

  /** See {@link Staged#changesWhatPasses}. */
  boolean changesWhatPasses() {
    return staged != null && staged.changesWhatPasses();
  }

  /** Whether the two regions have bytes in common, as far as that can be seen from outside. */
  public boolean overlaps(Region other) {
    if (isStaged() || other.isStaged()) {
      return heap != null
          && heap == other.heap
          && first < other.first + other.bytes / elementBytes
          && other.first < first + bytes / elementBytes;
    }
    return address < other.address + other.bytes && other.address < address + bytes;
  }

  /** Whether the two regions are the same memory. */
  public boolean isSameAs(Region other) {
    return bytes == other.bytes
        && address == other.address
        && heap == other.heap
        && (heap == null || first == other.first)
        && staged == null
        && other.staged == null;
  }

  /** Copies bytes from here to an address. */
  public void load(long offset, long target, long length) {
    if (staged != null) {
      staged.load(offset, target, length);
      return;
    } else if (heap == null) {
      Memory.copy(address + offset, target, length);
      return;
    }
    int index = first + (int) (offset / elementBytes);
    int count = (int) (length / elementBytes);
    if (heap instanceof float[] floats) {
      Memory.copy(floats, index, target, count);
    } else if (heap instanceof double[] doubles) {
      Memory.copy(doubles, index, target, count);
    } else if (heap instanceof int[] ints) {
      Memory.copy(ints, index, target, count);
    } else if (heap instanceof long[] longs) {
      Memory.copy(longs, index, target, count);
    } else {
      Memory.copy((byte[]) heap, index, target, count);
    }
  }

  /** Copies bytes from an address to here. */
  public void store(long source, long offset, long length) {
    if (staged != null) {
      staged.store(source, offset, length);
      return;
    } else if (heap == null) {
      Memory.copy(source, address + offset, length);
      return;
    }
    int index = first + (int) (offset / elementBytes);
    int count = (int) (length / elementBytes);
    if (heap instanceof float[] floats) {
      Memory.copy(source, floats, index, count);
    } else if (heap instanceof double[] doubles) {
      Memory.copy(source, doubles, index, count);
    } else if (heap instanceof int[] ints) {
      Memory.copy(source, ints, index, count);
    } else if (heap instanceof long[] longs) {
      Memory.copy(source, longs, index, count);
    } else {
      Memory.copy(source, (byte[]) heap, index, count);
    }
  }

  @Override
  public String toString() {
    if (staged != null) {
      return staged.toString();
    } else if (heap == null) {
      return bytes + " bytes at " + Long.toHexString(address);
    }
    return "array from index " + first;
  }
}
