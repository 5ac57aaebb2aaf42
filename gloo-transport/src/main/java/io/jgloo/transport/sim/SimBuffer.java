package io.jgloo.transport.sim;

import io.jgloo.transport.Buffer;

/** A window on memory; in one JVM there is nothing to register. */
final class SimBuffer extends Buffer {}
