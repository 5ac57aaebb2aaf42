/** What ranks of C++ Gloo and PyTorch expect of an address. */
package io.jgloo.transport.gloo;
