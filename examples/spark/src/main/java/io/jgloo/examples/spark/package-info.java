/** A barrier stage of Spark whose tasks form a process group. */
package io.jgloo.examples.spark;
