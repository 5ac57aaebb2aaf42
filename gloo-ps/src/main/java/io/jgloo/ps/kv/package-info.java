/**
 * Keys and values in calls: types of values, options and results of a call, which server has a key,
 * filters, and the exceptions of calls.
 *
 * <p>Uses {@link io.jgloo.ps.node} only.
 */
@NullMarked
package io.jgloo.ps.kv;

import org.jspecify.annotations.NullMarked;
