/** Verifies schedules symbolically (races, deadlocks, results), and draws them. */
package io.jgloo.collectives.verify;
