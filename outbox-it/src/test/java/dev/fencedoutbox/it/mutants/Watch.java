package dev.fencedoutbox.it.mutants;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is sent: keeps each guarded statement of the library's, knows which were sent of late,
 * and takes out of them what the mutants in force lack. Thread-safe.
 */
final class Watch {

  /** A statement of the library's, as it was sent first. */
  record Sent(String name, String sql, StatementText text) {}

  private static final Pattern PREPARED = Pattern.compile("(prepare \\w+ as )(.*)", Pattern.DOTALL);

  private final Map<String, StatementText> texts = new ConcurrentHashMap<>();
  private final Map<String, Sent> byShape = new ConcurrentHashMap<>();
  private final Set<String> senders = ConcurrentHashMap.newKeySet();
  private final Set<String> lately = ConcurrentHashMap.newKeySet();
  private volatile Set<Mutant> inForce = Set.of();

  /** The text to send in place of {@code sql}. */
  String read(String sql) {
    Matcher prepared = PREPARED.matcher(sql);
    return prepared.matches()
        ? prepared.group(1) + readStatement(prepared.group(2))
        : readStatement(sql);
  }

  private String readStatement(String sql) {
    senders.addAll(Sender.methods());
    StatementText text = texts.computeIfAbsent(sql, StatementText::new);
    String table = text.table();
    if (!text.writes() || table == null) {
      return sql;
    }
    lately.add(text.shape());
    String name = name(sql, text, table);
    return name == null ? sql : without(inForce, name, text, sql);
  }

  /** Of one that the library sends now, or has sent before. */
  private @Nullable String name(String sql, StatementText text, String table) {
    String sender = Sender.name();
    if (sender == null) {
      Sent before = byShape.get(text.shape());
      return before == null ? null : before.name();
    }
    String name = "%s (%s)".formatted(sender, table);
    if (!text.isTouched()) {
      byShape.putIfAbsent(text.shape(), new Sent(name, sql, text));
    }
    return name;
  }

  private static String without(
      Set<Mutant> mutants, String statement, StatementText text, String sql) {
    List<Part> out = new ArrayList<>(text.parts());
    out.removeIf(part -> !mutants.contains(new Mutant(statement, part.name())));
    out.removeIf(part -> out.stream().anyMatch(part::isInside));
    out.sort(Comparator.comparingInt(Part::start).reversed()); // what stands before stays there
    String changed = sql;
    for (Part part : out) {
      changed = part.removedFrom(changed);
    }
    return changed;
  }

  /** From now on statements lack that. */
  void enforce(Collection<Mutant> mutants) {
    inForce = Set.copyOf(mutants);
  }

  /** The shapes of what was sent since the last call. */
  Set<String> lately() {
    Set<String> copy = Set.copyOf(lately);
    lately.clear();
    return copy;
  }

  /** The library's methods that were on their way when a statement was sent. */
  Set<String> senders() {
    return Set.copyOf(senders);
  }

  /** Every statement of the library's, by its shape. */
  Map<String, Sent> statements() {
    return Map.copyOf(byShape);
  }

  /** Each mutant, with the shapes of the statements in which it is to be found. */
  Map<Mutant, List<String>> mutants() {
    Map<Mutant, List<String>> all = new TreeMap<>();
    byShape.forEach(
        (shape, sent) ->
            sent.text()
                .parts()
                .forEach(
                    part ->
                        all.computeIfAbsent(
                                new Mutant(sent.name(), part.name()), one -> new ArrayList<>())
                            .add(shape)));
    return all;
  }

  /** The text that is sent for a statement under a mutant. */
  static String mutated(Sent sent, Mutant mutant) {
    return without(Set.of(mutant), sent.name(), sent.text(), sent.sql());
  }
}
