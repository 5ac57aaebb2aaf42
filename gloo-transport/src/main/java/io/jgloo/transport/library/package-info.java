/** Parts of the JVM and of libraries, found by file, version or name. */
package io.jgloo.transport.library;
