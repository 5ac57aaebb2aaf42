/** What all command lines share: reading one, running it, and its exit code. */
package io.jgloo.bench.command;
