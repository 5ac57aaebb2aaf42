package io.jgloo.rendezvous.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The node lists of SLURM. */
@Timeout(30)
final class SlurmNodeListTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n1 | n1",
        "a,b , | !",
        "gnode[10,20-22] | gnode10 gnode20 gnode21 gnode22",
        "n[008-011] | n008 n009 n010 n011",
        "r[1-2]n[3,5-6]-ib,login | r1n3-ib r1n5-ib r1n6-ib r2n3-ib r2n5-ib r2n6-ib login",
        "x[7] | x7",
      })
  void nodeList_isExpanded(String text, String hosts) {
    if (hosts.equals("!")) {
      assertThrows(IllegalStateException.class, () -> SlurmNodeList.expand(text));
    } else {
      assertEquals(List.of(hosts.split(" ")), SlurmNodeList.expand(text));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "a[",
        "a[]",
        "a[1",
        "a[1-",
        "a[x]",
        "a]",
        "a[1]]",
        "a[3-1]",
        "a[0-9999999]"
      })
  void invalidNodeList_isQuotedInTheError(String text) {
    IllegalStateException e =
        assertThrows(IllegalStateException.class, () -> SlurmNodeList.expand(text));
    assertTrue(e.getMessage().contains("'" + text + "'"), e.getMessage());
  }
}
