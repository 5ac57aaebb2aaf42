/** Addresses as ranks of C++ Gloo and PyTorch expect them. */
package io.jgloo.transport.cppgloo;
