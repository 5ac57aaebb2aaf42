package io.jgloo.rpc.rref.protocol;

import java.util.List;

/**
 * A call or result whose references are not all confirmed yet.
 *
 * @param waiting number of references that are not confirmed
 * @param forks all its references
 */
public record Arrival(int waiting, List<ForkId> forks) {}
