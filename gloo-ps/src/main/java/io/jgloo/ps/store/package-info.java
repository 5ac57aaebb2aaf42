/** Values by key in memory off the heap. */
package io.jgloo.ps.store;
