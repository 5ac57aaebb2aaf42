/** C++ Gloo's and PyTorch's calls: their algorithms in exactly Gloo's messages, and their slots. */
package io.jgloo.collectives.cppgloo;
