/** Payloads of memory segments. */
@NullMarked
package io.jgloo.segment;

import org.jspecify.annotations.NullMarked;
