/**
 * Remote references: handles of values that live at another agent, counted for the whole group.
 *
 * <p>The rules are those of the protocol package, a pure function; this package binds it to an
 * agent's messages, to handles and to the collector.
 */
@NullMarked
package io.jgloo.rpc.rref;

import org.jspecify.annotations.NullMarked;
