/**
 * Values by key in memory off the heap.
 *
 * <p>Uses no other package of this module.
 */
@NullMarked
package io.jgloo.ps.store;

import org.jspecify.annotations.NullMarked;
