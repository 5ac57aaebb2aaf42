package io.jgloo.transport.ibverbs.verbs;

/**
 * The timeouts and retries of a queue pair.
 *
 * @param firstPacket own first packet number, 24 bits
 * @param timeout code of the time to wait for an acknowledgement: 4.096 us times 2 to this; 14 is
 *     67 ms
 * @param retries how often to send again; rxe takes 7 for ever
 * @param rnrRetries how often to send again when the peer has no receive posted; 7 is for ever
 * @param maxReads own reads under way at a time
 */
public record PairTimers(int firstPacket, int timeout, int retries, int rnrRetries, int maxReads) {}
