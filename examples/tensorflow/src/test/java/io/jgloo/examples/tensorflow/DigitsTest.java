package io.jgloo.examples.tensorflow;

import io.jgloo.DigitsContract;

/** Trains with TensorFlow on images of digits. */
class DigitsTest extends DigitsContract {}
