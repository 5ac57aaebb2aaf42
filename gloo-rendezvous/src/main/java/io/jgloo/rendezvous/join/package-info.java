/** The common part of the joins of groups, agents and nodes of a parameter server; not exported. */
@NullMarked
package io.jgloo.rendezvous.join;

import org.jspecify.annotations.NullMarked;
