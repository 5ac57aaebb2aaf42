/** Verifies schedules symbolically (races, deadlocks, results), and draws them. */
@NullMarked
package io.jgloo.collectives.verify;

import org.jspecify.annotations.NullMarked;
