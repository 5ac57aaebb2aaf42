/** Process groups of the tasks of a barrier stage of Spark. */
@NullMarked
package io.jgloo.spark;

import org.jspecify.annotations.NullMarked;
