package io.jgloo.transport.ibverbs.verbs;

/**
 * The queues and sizes of a new queue pair.
 *
 * @param sendQueue completion queue for what is sent
 * @param receiveQueue completion queue for what is received; may be the same
 * @param sends work requests its send queue holds
 * @param receives work requests its receive queue holds
 * @param sendRanges memory ranges of one send
 * @param receiveRanges memory ranges of one receive
 * @param inlineBytes longest send whose bytes should go with the work request; an implementation
 *     whose device refuses that many tries fewer, down to 0
 */
public record QueuePairOptions(
    long sendQueue,
    long receiveQueue,
    int sends,
    int receives,
    int sendRanges,
    int receiveRanges,
    int inlineBytes) {}
