/** The jar that runs. */
package io.jgloo.bench.jar;
