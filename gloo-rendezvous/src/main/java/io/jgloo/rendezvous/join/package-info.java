/**
 * What the joins of groups, agents and nodes of a parameter server have in common; not exported.
 */
@NullMarked
package io.jgloo.rendezvous.join;

import org.jspecify.annotations.NullMarked;
