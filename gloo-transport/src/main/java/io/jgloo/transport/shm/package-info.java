/**
 * The memory that two ranks of a host share: segments, rings, cells, lent memory, and the
 * connection over them.
 */
package io.jgloo.transport.shm;
