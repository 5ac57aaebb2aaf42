package io.jgloo.build;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packages that the libraries export to users hold the public types listed here, no others. */
@Timeout(180)
final class PublicTypesTest {

  /** By module and package. To be extended on purpose: what is public is kept for users. */
  private static final Map<String, Map<String, String>> ALLOWED =
      Map.of(
          "io.jgloo.transport",
          Map.of(
              "io.jgloo.transport",
              "AbortedException Address Allocation AuthenticationException Buffer"
                  + " Clock ClosedException CompletionQueue Device DeviceOptions DeviceProvider"
                  + " Devices FailureContext JGlooException"
                  + " InterruptedOperationException JobSecret Membership Mesh"
                  + " MeshConnectException MismatchException OperationTimeoutException"
                  + " Pair PeerDepartedException PeerLostException ProtocolException Reduction"
                  + " Request Slot TlsOptions UnavailableException Wire"),
          "io.jgloo.ibverbs",
          Map.of("io.jgloo.transport.ibverbs", "IbverbsProvider OneSided"),
          "io.jgloo.testkit",
          Map.of("io.jgloo.testkit", "Faults LocalRanks RankAssertions Ranks Simulated"),
          "io.jgloo.rendezvous",
          Map.of(
              "io.jgloo.rendezvous",
              "Context ContextFactory DuplicateRankException Launch RendezvousException"
                  + " RendezvousTimeoutException Stores WorldSizeMismatchException",
              "io.jgloo.rendezvous.store",
              "HashStore PrefixStore Store StoreCredentials StoreException StoreKeys"
                  + " StoreProvider StoreTimeoutException StoreUnavailableException StoreUrl"
                  + " TcpStore"),
          "io.jgloo",
          Map.of(
              "io.jgloo",
              "AsyncCalls CallOptions GroupBuilder MessageBatch ObjectCodec"
                  + " ObjectCodecException OpenRank Payload ProcessGroup Work",
              "io.jgloo.gradient",
              "DataParallel DistributedSampler GradientReducer",
              "io.jgloo.collectives",
              "Algorithm AlgorithmProvider Collective Cost CostModel DataType"
                  + " Layout Partition Program Range ReduceOp Retainable"
                  + " Schedule Shape",
              "io.jgloo.collectives.verify",
              "Verifier"),
          "io.jgloo.rpc",
          Map.of(
              "io.jgloo.rpc",
              "RRef RRefException RRefs RemoteCallException RpcAgent RpcBody RpcCall RpcContext"
                  + " RpcFunction RpcMethod RpcOptions RpcRegistry",
              "io.jgloo.rpc.codec",
              "Block Codec Codecs Message MessageReader MessageWriter",
              "io.jgloo.rpc.agent",
              "AgentId MessengerOptions NotExecutedException OutcomeUnknownException PeerListener"
                  + " Priority"),
          "io.jgloo.ps",
          Map.of(
              "io.jgloo.ps",
              "Embedding KvServer KvWorker PsNode PsOptions ServerOptions SimpleApp SnapshotFile"
                  + " TopKeys",
              "io.jgloo.ps.node",
              "BarrierTimeoutException NodeCountException NodeId NodeListener NodeLostException"
                  + " Role Topology",
              "io.jgloo.ps.kv",
              "CallRejectedException CallTimeoutException Halves KvCall KvFilter KvFilters KvPairs"
                  + " KvResult ServerErrorException Slicer StateLostException TensorSlicer"
                  + " ValueType",
              "io.jgloo.ps.handle",
              "Handles Initializer Optimizer RequestHandle RequestMeta Responder Rule"
                  + " StatefulHandle",
              "io.jgloo.ps.store",
              "DenseValueStore HashValueStore ValueStore VariableValueStore"));

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.jgloo.transport",
        "io.jgloo.ibverbs",
        "io.jgloo.rendezvous",
        "io.jgloo",
        "io.jgloo.testkit",
        "io.jgloo.rpc",
        "io.jgloo.ps"
      })
  void exportedPackages_holdTheListedTypes(String module) throws IOException {
    Map<String, Set<String>> expected = new TreeMap<>();
    ALLOWED
        .get(module)
        .forEach((name, types) -> expected.put(name, new TreeSet<>(Set.of(types.split(" ", -1)))));
    assertEquals(expected, exported(OwnClasses.finder().find(module).orElseThrow()));
  }

  @Test
  void plantedPublicType_isFound() throws IOException {
    Path classes =
        Planted.compile(
            folder,
            "module planted { exports open; exports half to java.sql; }",
            "package open; public class Listed { public static class Inner {} }",
            "package open; public class Unlisted {}",
            "package open; class Hidden {}",
            "package half; public class ForAnotherModule {}",
            "package closed; public class ForThisModule {}");
    ModuleReference module = ModuleFinder.of(classes).find("planted").orElseThrow();
    assertEquals(Map.of("open", Set.of("Listed", "Unlisted")), exported(module));
  }

  /** Public top-level types by exported package. */
  private static Map<String, Set<String>> exported(ModuleReference module) {
    Map<String, Set<String>> found = new TreeMap<>();
    for (ModuleDescriptor.Exports exports : module.descriptor().exports()) {
      if (!exports.isQualified()) {
        found.put(exports.source(), new TreeSet<>());
      }
    }
    Path classes = Path.of(module.location().orElseThrow());
    for (JavaClass type : new ClassFileImporter().importPath(classes)) {
      Set<String> types = found.get(type.getPackageName());
      if (types != null
          && type.isTopLevelClass()
          && type.getModifiers().contains(JavaModifier.PUBLIC)) {
        types.add(type.getSimpleName());
      }
    }
    return found;
  }
}
