package dev.fencedoutbox.it.mutants;

import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which method of the library is sending a statement, told by the stack. */
final class Sender {

  private static final String ROOT = "dev.fencedoutbox.";
  private static final Set<String> NOT_THE_LIBRARY =
      Set.of("it", "schema", "build", "migration", "internal");
  private static final StackWalker WALKER =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private Sender() {}

  /**
   * The public method nearest to the statement, without a callback between them, and the private
   * one of its class that sends it for it; or else the method that sends it. Null if the library
   * does not send it.
   */
  static @Nullable String name() {
    return WALKER.walk(frames -> name(frames.filter(Sender::isOurs).limit(30).toList()));
  }

  /** The library's methods that have led to it, up to the caller. */
  static List<String> methods() {
    return WALKER.walk(
        frames ->
            frames
                .filter(Sender::isOurs)
                .takeWhile(frame -> !NOT_THE_LIBRARY.contains(room(frame)))
                .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                .toList());
  }

  private static boolean isOurs(StackFrame frame) {
    return frame.getClassName().startsWith(ROOT)
        && frame.getDeclaringClass() != Sender.class
        && !room(frame).equals("internal")
        && !frame.getDeclaringClass().getPackage().equals(Sender.class.getPackage());
  }

  private static @Nullable String name(List<StackFrame> frames) {
    if (frames.isEmpty() || NOT_THE_LIBRARY.contains(room(frames.get(0)))) {
      return null;
    }
    for (StackFrame frame : frames) {
      if (NOT_THE_LIBRARY.contains(room(frame)) || frame.getMethodName().startsWith("lambda$")) {
        break;
      } else if (isPublic(frame)) {
        return name(frame) + forIt(frames.get(0), frame);
      }
    }
    return name(frames.get(0));
  }

  private static String forIt(StackFrame sends, StackFrame publicly) {
    return sends.getDeclaringClass() == publicly.getDeclaringClass()
            && !sends.getMethodName().equals(publicly.getMethodName())
        ? "." + sends.getMethodName()
        : "";
  }

  private static String name(StackFrame frame) {
    return frame.getDeclaringClass().getSimpleName() + "." + frame.getMethodName();
  }

  private static String room(StackFrame frame) {
    String rest = frame.getClassName().substring(ROOT.length());
    return rest.substring(0, rest.indexOf('.'));
  }

  private static boolean isPublic(StackFrame frame) {
    try {
      return Modifier.isPublic(frame.getDeclaringClass().getModifiers())
          && Modifier.isPublic(
              frame
                  .getDeclaringClass()
                  .getDeclaredMethod(frame.getMethodName(), frame.getMethodType().parameterArray())
                  .getModifiers());
    } catch (NoSuchMethodException e) {
      return false; // a constructor
    }
  }
}
