/** Agents that call functions registered at other agents. */
package io.jgloo.rpc;
