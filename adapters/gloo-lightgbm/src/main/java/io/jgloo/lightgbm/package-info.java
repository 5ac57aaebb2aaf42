/** Distributed training of LightGBM over process groups. */
@NullMarked
package io.jgloo.lightgbm;

import org.jspecify.annotations.NullMarked;
