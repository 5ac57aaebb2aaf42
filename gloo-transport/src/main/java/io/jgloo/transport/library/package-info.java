/** What is taken from the JVM and from libraries by file, version or name. */
package io.jgloo.transport.library;
