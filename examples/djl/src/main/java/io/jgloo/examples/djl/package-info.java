/** Data-parallel training with DJL. */
package io.jgloo.examples.djl;
