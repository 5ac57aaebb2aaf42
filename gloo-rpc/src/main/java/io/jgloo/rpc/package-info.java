/** Agents that call functions registered at other agents. */
@NullMarked
package io.jgloo.rpc;

import org.jspecify.annotations.NullMarked;
