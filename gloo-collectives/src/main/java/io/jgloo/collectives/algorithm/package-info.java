/** The table of algorithms, and the choice among them; each collective's are in a package below. */
package io.jgloo.collectives.algorithm;
