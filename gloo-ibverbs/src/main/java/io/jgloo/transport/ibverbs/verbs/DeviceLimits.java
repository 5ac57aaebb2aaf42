package io.jgloo.transport.ibverbs.verbs;

/**
 * The limits of a device.
 *
 * @param maxRegionBytes longest memory region
 * @param maxPairs queue pairs
 * @param maxPairRequests work requests of one queue of a pair
 * @param maxRequestRanges memory ranges of one work request
 * @param maxQueueEntries completions of one queue
 * @param maxRegions memory regions
 * @param maxReadsAsTarget reads one pair can serve at a time
 * @param maxReadsAsOrigin reads one pair can have under way at a time
 */
public record DeviceLimits(
    long maxRegionBytes,
    int maxPairs,
    int maxPairRequests,
    int maxRequestRanges,
    int maxQueueEntries,
    int maxRegions,
    int maxReadsAsTarget,
    int maxReadsAsOrigin) {}
