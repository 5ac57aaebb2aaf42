/** libibverbs: its calls, and the layout of what it is given. */
package io.jgloo.transport.ibverbs.verbs;
