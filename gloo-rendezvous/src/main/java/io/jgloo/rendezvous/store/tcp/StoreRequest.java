package io.jgloo.rendezvous.store.tcp;

import java.util.List;

/**
 * One request as the server read it: an opcode and its fields in wire order.
 *
 * @param keys as they are on the wire, one character per byte (ISO 8859-1, so that any bytes will
 *     do)
 * @param number the number or word, 0 if the opcode has none
 */
record StoreRequest(StoreOpcode opcode, List<String> keys, List<byte[]> values, long number) {
  String key() {
    return keys.get(0);
  }

  byte[] value() {
    return values.get(0);
  }
}
