/** Explicit codecs: how a value of a known type becomes the bytes of a message, and back. */
@NullMarked
package io.jgloo.rpc.codec;

import org.jspecify.annotations.NullMarked;
