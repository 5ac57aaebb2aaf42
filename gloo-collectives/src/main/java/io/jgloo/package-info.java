/** What a user imports: process groups, their work handles, data types and reduce ops. */
package io.jgloo;
