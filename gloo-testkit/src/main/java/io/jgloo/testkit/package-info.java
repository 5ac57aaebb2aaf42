/** Tests of programs that use a group: its ranks run in one JVM, and fail on demand. */
@NullMarked
package io.jgloo.testkit;

import org.jspecify.annotations.NullMarked;
