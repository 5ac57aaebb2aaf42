package io.jgloo.transport.ibverbs.verbs;

/**
 * The attributes of a port.
 *
 * @param state {@link #ACTIVE} or something less
 * @param maxMtu code of the largest packet: 1 is 256 bytes, 5 is 4096
 * @param activeMtu code of the largest packet now
 * @param gids entries of its GID table
 * @param maxMessageBytes longest message; 8 MiB on rxe, 1 GiB or more on adapters
 * @param lid local identifier; 0 on Ethernet
 * @param linkLayer {@link #INFINIBAND} or {@link #ETHERNET}
 */
public record PortState(
    int state, int maxMtu, int activeMtu, int gids, long maxMessageBytes, int lid, int linkLayer) {

  public static final int ACTIVE = 4;
  static final int INFINIBAND = 1;
  public static final int ETHERNET = 2;
}
