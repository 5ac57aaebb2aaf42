package io.jgloo.transport.ibverbs.verbs;

/** Memory that is registered with a software device. */
final class SoftRegion {

  final SoftVerbs device;
  final MemoryRegion region;
  final int access;

  SoftRegion(SoftVerbs device, MemoryRegion region, int access) {
    this.device = device;
    this.region = region;
    this.access = access;
  }

  boolean covers(long address, long length, int needed) {
    return (access & needed) == needed
        && address >= region.address()
        && address - region.address() <= region.length() - length;
  }
}
