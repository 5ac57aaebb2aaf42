package io.jgloo.transport.engine;

import io.jgloo.transport.Buffer;

/** A window on memory that needs no registration. */
public final class EngineBuffer extends Buffer {}
