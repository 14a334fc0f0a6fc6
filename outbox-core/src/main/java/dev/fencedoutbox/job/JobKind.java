package dev.fencedoutbox.job;

import dev.fencedoutbox.internal.JsonText;
import dev.fencedoutbox.internal.Texts;
import org.jooq.Converter;
import org.jooq.JSONB;
import org.jspecify.annotations.Nullable;

/**
 * A kind of job: its name and the types of its input, checkpoint and result, with the converters
 * between them and what is stored. Declare each once, as a constant.
 *
 * <pre>{@code
 * static final JobKind<Scene, Progress, Picture> RENDER =
 *     JobKind.of("render", Scene.CONVERTER, Progress.CONVERTER, Picture.CONVERTER);
 * }</pre>
 *
 * <p>All three are stored as {@code jsonb}, which keeps the value and not the text. Keep them
 * small: a claim, a renewal and a checkpoint write the row anew, so what is large belongs elsewhere
 * and only its name here.
 *
 * <p>Immutable, and thread-safe if its converters are.
 *
 * @param <I> the type of the input
 * @param <C> the type of the checkpoints
 * @param <R> the type of the result
 */
public final class JobKind<I, C, R> {

  /** The longest input, checkpoint or result, in characters of JSON. */
  public static final int MAX_JSON = 64 * 1024 * 1024;

  private final String name;
  private final Converter<JSONB, I> input;
  private final Converter<JSONB, C> checkpoint;
  private final Converter<JSONB, R> result;

  private JobKind(
      String name,
      Converter<JSONB, I> input,
      Converter<JSONB, C> checkpoint,
      Converter<JSONB, R> result) {
    this.name = Texts.requireName("A kind's name", name);
    this.input = input;
    this.checkpoint = checkpoint;
    this.result = result;
  }

  /**
   * A kind whose input, checkpoints and result have types of the application's.
   *
   * @param name 1 to {@value Texts#MAX_NAME} characters
   */
  public static <I, C, R> JobKind<I, C, R> of(
      String name,
      Converter<JSONB, I> input,
      Converter<JSONB, C> checkpoint,
      Converter<JSONB, R> result) {
    return new JobKind<>(name, input, checkpoint, result);
  }

  /**
   * A kind whose input, checkpoints and result are plain JSON.
   *
   * @param name 1 to {@value Texts#MAX_NAME} characters
   */
  public static JobKind<JSONB, JSONB, JSONB> json(String name) {
    Converter<JSONB, JSONB> asItIs = Converter.of(JSONB.class, JSONB.class, j -> j, j -> j);
    return new JobKind<>(name, asItIs, asItIs, asItIs);
  }

  /** The name. */
  public String name() {
    return name;
  }

  /**
   * A job of this kind under a random key, due at once.
   *
   * @throws IllegalArgumentException if the input is null, converts to null, or cannot be stored
   */
  public NewJob job(I given) {
    JSONB stored = written("input", input, given);
    if (stored == null) {
      throw new IllegalArgumentException(
          "The input of a job of kind %s is null or converts to null. Nothing was sent. A JSON null is JSONB.valueOf(\"null\")."
              .formatted(name));
    }
    return new NewJob(this, stored);
  }

  @Nullable JSONB written(@Nullable R given) {
    return written("result", result, given);
  }

  @Nullable JSONB writtenCheckpoint(C given) {
    return written("checkpoint", checkpoint, given);
  }

  private <T> @Nullable JSONB written(
      String what, Converter<JSONB, T> converter, @Nullable T given) {
    @Nullable JSONB json = given == null ? null : converter.to(given);
    if (json != null) {
      requireStorable("The " + what + " of a job of kind " + name, json.data());
    }
    return json;
  }

  private static void requireStorable(String what, String json) {
    if (json.length() > MAX_JSON) {
      throw new IllegalArgumentException(
          "%s has %,d characters and may have %,d. Nothing was sent. Store it elsewhere and say where it is."
              .formatted(what, json.length(), MAX_JSON));
    }
    JsonText.requireStorable(what, json);
  }

  @Nullable I readInput(JSONB stored) {
    return input.from(stored);
  }

  @Nullable C readCheckpoint(@Nullable JSONB stored) {
    return stored == null ? null : checkpoint.from(stored);
  }

  @Nullable R readResult(@Nullable JSONB stored) {
    return stored == null ? null : result.from(stored);
  }

  @Override
  public String toString() {
    return name;
  }
}
