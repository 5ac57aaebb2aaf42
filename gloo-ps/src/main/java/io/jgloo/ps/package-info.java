/**
 * A parameter server: nodes ({@link io.jgloo.ps.PsNode}), applications at servers ({@link
 * io.jgloo.ps.KvServer}) and their customers at workers ({@link io.jgloo.ps.KvWorker}).
 *
 * <p>Uses all other packages of this module; none of them uses this one. What its methods take and
 * return is in {@link io.jgloo.ps.node}, {@link io.jgloo.ps.kv} and {@link io.jgloo.ps.handle}.
 */
@NullMarked
package io.jgloo.ps;

import org.jspecify.annotations.NullMarked;
