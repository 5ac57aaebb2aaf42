/** The file of the native library. */
package io.jgloo.transport.library;
