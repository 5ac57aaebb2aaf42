/** Identity, liveness and outcomes of agents: types that calls, references and servers share. */
@NullMarked
package io.jgloo.rpc.agent;

import org.jspecify.annotations.NullMarked;
