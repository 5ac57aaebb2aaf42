/** Process groups and their work handles. */
@NullMarked
package io.jgloo;

import org.jspecify.annotations.NullMarked;
