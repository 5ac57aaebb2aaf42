/**
 * Values by key in memory off the heap.
 *
 * <p>Uses no other package of this module.
 */
package io.jgloo.ps.store;
