package io.jgloo.rpc.rref.protocol;

import java.util.List;

/** The result of one step. */
public record Step(RRefState state, List<Effect> effects) {}
