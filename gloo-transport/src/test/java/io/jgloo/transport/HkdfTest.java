package io.jgloo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The test vectors of RFC 5869 for SHA-256. */
@Timeout(60)
class HkdfTest {

  private static final String LONG_OUTPUT =
      "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c"
          + "59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71"
          + "cc30c58179ec3e87c14c01d5c1f3434f1d87";

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  private static byte[] range(int from, int to) {
    byte[] bytes = new byte[to - from];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (from + i);
    }
    return bytes;
  }

  private static void check(byte[] salt, byte[] input, byte[] info, String key, String output) {
    byte[] pseudorandomKey = Hkdf.extract(salt, input);
    assertEquals(key, HexFormat.of().formatHex(pseudorandomKey));
    byte[] expanded = Hkdf.expand(pseudorandomKey, info, output.length() / 2);
    assertEquals(output, HexFormat.of().formatHex(expanded));
  }

  @ParameterizedTest
  @CsvSource({
    "000102030405060708090a0b0c, f0f1f2f3f4f5f6f7f8f9,"
        + " 077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5,"
        + " 3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    "'', '', 19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04,"
        + " 8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
  })
  void firstAndThirdVector(String salt, String info, String key, String output) {
    check(bytes(salt), bytes("0b".repeat(22)), bytes(info), key, output);
  }

  @Test
  void secondVectorOfLongInputs() {
    String key = "06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244";
    check(range(0x60, 0xb0), range(0, 0x50), range(0xb0, 0x100), key, LONG_OUTPUT);
  }
}
