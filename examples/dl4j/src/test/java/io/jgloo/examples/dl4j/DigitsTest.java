package io.jgloo.examples.dl4j;

import io.jgloo.DigitsContract;

/** Trains with DL4J on images of digits. */
class DigitsTest extends DigitsContract {}
