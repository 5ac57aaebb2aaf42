/**
 * The nodes of a system: how they find their ranks, which are there, and barriers.
 *
 * <p>Uses {@link io.jgloo.ps.node} and {@link io.jgloo.ps.wire}; no keys, no values.
 */
package io.jgloo.ps.membership;
