/** The common part of all command lines: reading one, running it, and its exit code. */
package io.jgloo.bench.command;
