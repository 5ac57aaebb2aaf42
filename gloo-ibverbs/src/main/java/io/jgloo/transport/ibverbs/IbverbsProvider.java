package io.jgloo.transport.ibverbs;

import io.jgloo.transport.Device;
import io.jgloo.transport.DeviceOptions;
import io.jgloo.transport.DeviceProvider;
import io.jgloo.transport.UnavailableException;
import io.jgloo.transport.ibverbs.verbs.VerbsLibrary;
import java.util.Optional;

/** Opens ibverbs devices; see {@link IbverbsAttributes} for what can be set. */
public final class IbverbsProvider implements DeviceProvider {

  static final String NAME = "ibverbs";

  /** For ServiceLoader. */
  public IbverbsProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<String> unavailability() {
    try {
      return Adapter.absence(VerbsLibrary.load());
    } catch (UnavailableException e) {
      return Optional.of(e.getMessage());
    }
  }

  @Override
  public Device open(DeviceOptions options) {
    return new IbverbsDevice(VerbsLibrary.load(), IbverbsAttributes.parse(options));
  }
}
