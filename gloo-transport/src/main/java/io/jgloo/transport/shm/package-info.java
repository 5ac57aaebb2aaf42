/** Byte streams between two ranks of one host, through memory that both have mapped. */
package io.jgloo.transport.shm;
