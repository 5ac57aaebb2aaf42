/** Data-parallel training with PyTorch, through JavaCPP. */
@NullMarked
package io.jgloo.pytorch;

import org.jspecify.annotations.NullMarked;
