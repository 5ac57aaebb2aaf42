package io.jgloo.transport.ibverbs.verbs;

import io.jgloo.transport.memory.Memory;

/** A work request in the queue of a software pair; reused. */
final class SoftWork {

  long id;
  int opcode;
  int flags;
  int immediate;
  long address;
  int length;
  int localKey;
  long remoteAddress;
  int remoteKey;
  private final byte[] inline;

  SoftWork(int inlineBytes) {
    inline = new byte[inlineBytes];
  }

  void takeSend(long at) {
    id = SendWork.id(at);
    opcode = SendWork.opcode(at);
    flags = SendWork.flags(at);
    immediate = SendWork.immediate(at);
    length = SendWork.length(at);
    address = length == 0 ? 0 : SendWork.address(at);
    localKey = length == 0 ? 0 : SendWork.localKey(at);
    remoteAddress = SendWork.remoteAddress(at);
    remoteKey = SendWork.remoteKey(at);
    if (isInline()) {
      Memory.copy(address, inline, 0, length);
    }
  }

  void takeReceive(long at) {
    id = ReceiveWork.id(at);
    length = ReceiveWork.length(at);
    address = length == 0 ? 0 : ReceiveWork.address(at);
    localKey = length == 0 ? 0 : ReceiveWork.localKey(at);
  }

  boolean isInline() {
    return (flags & SendWork.INLINE) != 0;
  }

  boolean isSignaled() {
    return (flags & SendWork.SIGNALED) != 0;
  }

  void copyTo(long target) {
    if (isInline()) {
      Memory.copy(inline, 0, target, length);
    } else {
      Memory.copy(address, target, length);
    }
  }
}
