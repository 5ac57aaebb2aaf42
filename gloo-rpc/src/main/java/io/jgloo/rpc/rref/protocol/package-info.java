/**
 * The protocol of remote references as a pure function: (tables, event) to (tables, effects).
 *
 * <p>Knows agents by their ids; no channel, no clock, no thread, no codec. The process that binds
 * it to a channel and the tests that prove it call the same function.
 *
 * <p>The messages of four scenarios follow; the number is that of the fork, the share of one
 * holder, and {@code ===} is a call of the application. {@code RRefTraceTest} compares the drawings
 * with recordings of the Flight Recorder event {@code io.jgloo.rpc.RRefMessage}.
 *
 * <p>S1: a user makes a value and reads it.
 *
 * <pre>{@code
 * A                         B
 * |---- REMOTE_CALL 1 ----->|
 * |<--- USER_ACCEPT 1 ------|
 * |------- FETCH 1 -------->|
 * |<--- FETCH_REPLY 1 ------|
 * |---- USER_DELETE 1 ----->|
 * }</pre>
 *
 * <p>S2: a user passes it to the owner as an argument.
 *
 * <pre>{@code
 * A                         B
 * |---- REMOTE_CALL 1 ----->|
 * |<--- USER_ACCEPT 1 ------|
 * |======== CALL 2 ========>|
 * |<--- CHILD_ACCEPT 2 -----|
 * |---- USER_DELETE 1 ----->|
 * }</pre>
 *
 * <p>S3: the owner passes a reference to a user.
 *
 * <pre>{@code
 * A                         B                         C
 * |                         |======== CALL 1 ========>|
 * |                         |<------ FETCH 1 ---------|
 * |                         |---- FETCH_REPLY 1 ----->|
 * |                         |<--- USER_DELETE 1 ------|
 * }</pre>
 *
 * <p>S4: a user passes it to another user.
 *
 * <pre>{@code
 * A                         B                         C
 * |---- REMOTE_CALL 1 ----->|                         |
 * |<--- USER_ACCEPT 1 ------|                         |
 * |===================== CALL 2 =====================>|
 * |                         |<--- FORK_REQUEST 2 -----|
 * |                         |----- FORK_REPLY 2 ----->|
 * |<---------------- CHILD_ACCEPT 2 ------------------|
 * |                         |<------ FETCH 2 ---------|
 * |                         |---- FETCH_REPLY 2 ----->|
 * |                         |<--- USER_DELETE 2 ------|
 * |---- USER_DELETE 1 ----->|                         |
 * }</pre>
 */
package io.jgloo.rpc.rref.protocol;
