package io.jgloo.transport.ibverbs.verbs;

/**
 * The path of a queue pair to its peer.
 *
 * @param remoteNumber the peer's queue pair number
 * @param remotePacket the peer's first packet number, 24 bits
 * @param remoteGid the peer's address
 * @param remoteLid the peer's local identifier; 0 on Ethernet
 * @param port own port
 * @param gidIndex own entry in the port's GID table
 * @param global whether packets carry a global header; always on Ethernet
 * @param hopLimit of the global header
 * @param trafficClass of the global header
 * @param serviceLevel priority on InfiniBand
 * @param mtu code of the packet size, as in {@link PortState}
 * @param maxReads reads of the peer served at a time
 * @param minRnrTimer code of the time a peer waits when no receive is posted; 12 is 0.64 ms
 */
public record PairRoute(
    int remoteNumber,
    int remotePacket,
    Gid remoteGid,
    int remoteLid,
    int port,
    int gidIndex,
    boolean global,
    int hopLimit,
    int trafficClass,
    int serviceLevel,
    int mtu,
    int maxReads,
    int minRnrTimer) {}
