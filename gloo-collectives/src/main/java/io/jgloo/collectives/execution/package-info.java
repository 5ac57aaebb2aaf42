/**
 * Runs schedules on a mesh: calls, plans and their cache, progress, staging memory, and messages of
 * the application's own.
 */
package io.jgloo.collectives.execution;
