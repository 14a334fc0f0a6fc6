package dev.fencedoutbox.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The beginning of an answer's body, on one line for people. */
final class BodyText {

  /** The longest, in code points. */
  static final int LONGEST = 500;

  private static final Pattern CHARSET =
      Pattern.compile("charset\\s*=\\s*\"?([^\\s;\"]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern BLANK = Pattern.compile("[\\p{Cc}\\s]+");

  private BodyText() {}

  static String of(byte[] beginning, HttpHeaders headers) {
    String text = BLANK.matcher(decoded(beginning, charset(headers))).replaceAll(" ").strip();
    return text.codePointCount(0, text.length()) <= LONGEST
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "...";
  }

  /**
   * What is no text of that charset is replaced; a character that was cut at the end is left out.
   */
  private static String decoded(byte[] bytes, Charset charset) {
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    CharBuffer text =
        CharBuffer.allocate((int) Math.ceil(bytes.length * (double) decoder.maxCharsPerByte()));
    decoder.decode(ByteBuffer.wrap(bytes), text, false);
    return text.flip().toString();
  }

  private static Charset charset(HttpHeaders headers) {
    Matcher named = CHARSET.matcher(headers.firstValue("Content-Type").orElse(""));
    try {
      return named.find() ? Charset.forName(named.group(1)) : UTF_8;
    } catch (IllegalArgumentException e) { // no charset, or none of this JDK's
      return UTF_8;
    }
  }
}
