/** What a user imports: process groups and their work handles. */
package io.jgloo;
