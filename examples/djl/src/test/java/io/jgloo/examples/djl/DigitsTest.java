package io.jgloo.examples.djl;

import io.jgloo.DigitsContract;

/** Trains with DJL on images of digits. */
class DigitsTest extends DigitsContract {}
