package io.jgloo.bench.rpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.jgloo.rendezvous.store.Store;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;

/**
 * Unary calls of gRPC-Java without protocol buffers: bytes in, bytes out.
 *
 * @param direct whether bodies and completions run in the threads that receive messages
 */
record GrpcLibrary(boolean direct) implements EchoLibrary {

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.newBuilder(new Bytes(), new Bytes())
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(MethodDescriptor.generateFullMethodName("bench", "echo"))
          .build();

  @Override
  public String name() {
    return direct ? "grpc-java direct" : "grpc-java";
  }

  private String key() {
    return "grpc-" + direct;
  }

  @Override
  public void serve(Store store) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.builder("bench")
            .addMethod(
                ECHO,
                ServerCalls.asyncUnaryCall(
                    (byte[] request, io.grpc.stub.StreamObserver<byte[]> observer) -> {
                      observer.onNext(request);
                      observer.onCompleted();
                    }))
            .build();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(service);
    if (direct) {
      builder.directExecutor();
    }
    Server server = builder.build().start();
    store.set(key(), Integer.toString(server.getPort()).getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public Client connect(Store store) {
    byte[] port = store.get(key(), Duration.ofSeconds(60));
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(
                new InetSocketAddress(
                    InetAddress.getLoopbackAddress(),
                    Integer.parseInt(new String(port, StandardCharsets.US_ASCII))))
            .usePlaintext();
    if (direct) {
      builder.directExecutor();
    }
    return new GrpcClient(builder.build());
  }

  private record GrpcClient(ManagedChannel channel) implements Client {
    @Override
    public byte[] echo(byte[] bytes) {
      return ClientCalls.blockingUnaryCall((Channel) channel, ECHO, CallOptions.DEFAULT, bytes);
    }

    @Override
    public Future<byte[]> send(byte[] bytes) {
      return ClientCalls.futureUnaryCall(channel.newCall(ECHO, CallOptions.DEFAULT), bytes);
    }

    @Override
    public void close() {
      channel.shutdownNow();
    }
  }
}
