/**
 * The members of a job: roles, ranks and numbers of nodes, and the exceptions that name nodes.
 *
 * <p>Uses no other package of this module.
 */
@NullMarked
package io.jgloo.ps.node;

import org.jspecify.annotations.NullMarked;
