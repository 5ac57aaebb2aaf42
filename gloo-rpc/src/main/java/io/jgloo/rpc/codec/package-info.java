/** Explicit codecs: how a value of a known type becomes the bytes of a message, and back. */
package io.jgloo.rpc.codec;
