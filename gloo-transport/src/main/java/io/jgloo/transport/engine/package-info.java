/** What every transport of this module stands on. */
package io.jgloo.transport.engine;
