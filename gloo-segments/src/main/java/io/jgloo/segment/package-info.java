/** Payloads of memory segments. */
package io.jgloo.segment;
