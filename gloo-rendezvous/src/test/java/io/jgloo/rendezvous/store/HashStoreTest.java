package io.jgloo.rendezvous.store;

/** {@link HashStore} keeps the contract. */
final class HashStoreTest extends StoreConcurrencyContract {
  private final HashStore store = new HashStore(LONG);

  @Override
  protected Store open() {
    return store;
  }
}
