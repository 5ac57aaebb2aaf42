/** TLS for connections between the processes of a job. */
package io.jgloo.transport.tls;
