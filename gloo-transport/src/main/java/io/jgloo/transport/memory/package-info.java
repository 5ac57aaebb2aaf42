/** Off-heap memory by address: the SPI describes all memory by addresses. */
package io.jgloo.transport.memory;
