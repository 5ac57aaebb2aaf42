/** Threads, descriptors and memory that are still open after a test. */
@NullMarked
package io.jgloo.transport.leaks;

import org.jspecify.annotations.NullMarked;
