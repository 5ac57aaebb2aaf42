/**
 * The protocol of remote references as a pure function: (state, event) to (state, effects).
 *
 * <p>Knows agents by their ids; no channel, no clock, no thread, no codec. The process that binds
 * it to a channel and the tests that prove it call the same function.
 */
package io.jgloo.rpc.rref.protocol;
