/** Numbers in arrays of bytes. */
package io.jgloo.rpc.bytes;
