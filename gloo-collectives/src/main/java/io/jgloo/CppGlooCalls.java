package io.jgloo;

/**
 * Tags and slots of calls on the wires of C++ Gloo, by which its ranks match the messages of a
 * call.
 *
 * <p>Groups of JGloo ranks alone need none of this.
 *
 * <p><em>Threads</em>: any.
 */
public final class CppGlooCalls {

  private CppGlooCalls() {}

  /**
   * The same group with a tag for its collectives, which must be that of the call in C++. Calls of
   * one collective at the same time need different tags; without it the tag is 0.
   *
   * @param tag 0 to 2^32 - 1
   * @throws IllegalArgumentException if it is another, or the group is not on one of Gloo's wires
   */
  public static ProcessGroup withTag(ProcessGroup group, long tag) {
    if (tag < 0 || tag > 0xffff_ffffL) {
      throw new IllegalArgumentException("tag must be 0 to 2^32 - 1, but is " + tag);
    }
    return Arguments.present("group", group).with(group.options().tag(tag));
  }

  /**
   * The same group with the slots of an algorithm that is a class in C++ Gloo: the first of those
   * that the constructor in C++ took. Without it each call takes new ones.
   *
   * @param slot 0 to 2^31 - 1
   * @throws IllegalArgumentException if it is another, or the group is not on one of Gloo's wires
   */
  public static ProcessGroup withSlot(ProcessGroup group, long slot) {
    if (slot < 0 || slot > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("slot must be 0 to 2^31 - 1, but is " + slot);
    }
    return Arguments.present("group", group).with(group.options().slot(slot));
  }

  /**
   * Takes slots from the counter from which those of C++ Gloo's classes come, as {@code nextSlot}
   * of a context in C++ does. All ranks must take as many in the same order.
   *
   * @param count 1 or more
   * @return the first of them
   * @throws IllegalArgumentException if the count is less than 1
   * @throws UnsupportedOperationException unless the group is on one of Gloo's wires
   */
  public static long nextSlot(ProcessGroup group, int count) {
    Arguments.present("group", group);
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, but is " + count);
    }
    return group.dialect().nextSlot(count);
  }
}
