/** Processes that the command lines start, and how they are waited for and ended. */
package io.jgloo.bench.process;
