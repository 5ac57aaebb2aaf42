package io.jgloo.examples.netty41;

import io.jgloo.ProcessGroup;
import io.jgloo.collectives.ReduceOp;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.Version;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Reduces among processes, each of which may also serve clients with the application's own Netty
 * 4.1: {@code Beside RANK SIZE STORE-URL [epoll|nio]...}.
 */
public final class Beside {

  private Beside() {}

  /** Prints the sums before and after the application has used its own Netty. */
  public static void main(String[] args) throws Exception {
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    try (ProcessGroup group =
        ProcessGroup.builder().rank(rank).size(size).store(args[2]).connect()) {
      float[] vector = {rank, 1, 2};
      group.allreduce(vector, ReduceOp.SUM);
      System.out.println("rank " + rank + ": " + Arrays.toString(vector));
      for (int i = 3; i < args.length; i++) {
        System.out.println(args[i] + " of " + version() + ": " + echo(args[i]));
      }
      group.allreduce(vector, ReduceOp.SUM);
      System.out.println("rank " + rank + ": " + Arrays.toString(vector));
    }
  }

  private static String version() {
    return Version.identify().get("netty-common").artifactVersion();
  }

  private static String echo(String transport) throws Exception {
    return transport.equals("epoll")
        ? echo(new EpollEventLoopGroup(1), EpollServerSocketChannel.class)
        : echo(new NioEventLoopGroup(1), NioServerSocketChannel.class);
  }

  /** What a server of this Netty answers to a client. */
  private static String echo(EventLoopGroup loops, Class<? extends ServerChannel> type)
      throws Exception {
    try {
      InetAddress loopback = InetAddress.getLoopbackAddress();
      Channel server =
          new ServerBootstrap()
              .group(loops)
              .channel(type)
              .childHandler(new Echo())
              .bind(loopback, 0)
              .sync()
              .channel();
      int port = ((InetSocketAddress) server.localAddress()).getPort();
      try (Socket client = new Socket(loopback, port)) {
        client.setSoTimeout(60_000);
        client.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
        return new String(client.getInputStream().readNBytes(5), StandardCharsets.UTF_8);
      }
    } finally {
      loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
    }
  }

  /** Sends back what it reads. */
  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      context.writeAndFlush(message);
    }
  }
}
