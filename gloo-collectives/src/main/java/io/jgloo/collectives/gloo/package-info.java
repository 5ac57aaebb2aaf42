/** Algorithms in exactly the messages of C++ Gloo, for meshes in which ranks of both take part. */
package io.jgloo.collectives.gloo;
