/** Programs on a parameter server: ps-lite's example, and measurements. */
package io.jgloo.bench.ps;
