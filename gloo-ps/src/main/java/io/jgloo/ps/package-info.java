/** Nodes of a parameter server: a scheduler, servers that hold values by key, and workers. */
package io.jgloo.ps;
