/**
 * The vocabulary of collectives: what is asked for (shape), how it is done (algorithm), and the
 * program that does it for one rank (schedule).
 *
 * <p>An algorithm maps a shape and a rank to a schedule and does nothing else: no I/O, no threads,
 * no clock. What runs, checks, prices and draws schedules therefore exists once, for all of them.
 */
@NullMarked
package io.jgloo.collectives;

import org.jspecify.annotations.NullMarked;
