package io.jgloo.rpc.rref.protocol;

import java.util.List;

/** A user's call or result on its way, which the messaging core delivers at most once. */
record Call(Object key, List<ForkId> forks) {}
