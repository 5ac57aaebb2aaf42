/** Off-heap memory by address: the SPI describes all memory by addresses. */
@NullMarked
package io.jgloo.transport.memory;

import org.jspecify.annotations.NullMarked;
