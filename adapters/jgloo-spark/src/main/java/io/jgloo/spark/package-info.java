/** Process groups of the tasks of a barrier stage of Spark. */
package io.jgloo.spark;
