/**
 * Messages between agents: requests with replies, and control messages.
 *
 * <p>Knows peers, bytes, deadlines and credit; no function, no codec, no remote reference. A
 * message is delivered at most once, and exactly once if both agents live and the network heals
 * before the deadline.
 */
@NullMarked
package io.jgloo.rpc.message;

import org.jspecify.annotations.NullMarked;
