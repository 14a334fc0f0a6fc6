package dev.fencedoutbox.it.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A step before it is known of what: numbers that find something to do in any state of the world,
 * so that any part of a sequence is a sequence.
 */
record Choice(int what, int first, int second, int third) {

  private static final int BOUND = 1 << 20;

  static List<Choice> sequence(long seed, int length) {
    Random random = new Random(seed);
    List<Choice> all = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      all.add(
          new Choice(
              random.nextInt(BOUND),
              random.nextInt(BOUND),
              random.nextInt(BOUND),
              random.nextInt(BOUND)));
    }
    return all;
  }
}
