package io.jgloo.rendezvous.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The text of store URLs. */
@Timeout(30)
final class StoreUrlTest {
  @Test
  void url_isReadAndWrittenAlike() {
    StoreUrl url = StoreUrl.parse("x://where?ever=1&b=&c=d=e");
    assertEquals("x", url.scheme());
    assertEquals("where", url.location());
    assertEquals("d=e", url.option("c", "?"));
    assertEquals("x://where?ever=1&b=&c=d=e", url.toString());
    assertEquals("x://where?b=&c=d=e", url.without("ever").toString());
    assertThrows(IllegalArgumentException.class, () -> StoreUrl.parse("x://a?b=1&b=2"));
  }
}
