/** Programs that use the library as its users do. */
package io.jgloo.examples;
