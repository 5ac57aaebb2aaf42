package io.jgloo.transport.ibverbs.verbs;

/**
 * One end of a reliable connection.
 *
 * @param handle of the implementation; in {@link AsyncEvent#element} too
 * @param number by which the peer knows it
 * @param maxInlineBytes longest send whose bytes may go with the work request
 */
public record QueuePair(long handle, int number, int maxInlineBytes) {}
