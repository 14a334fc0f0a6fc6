package dev.fencedoutbox.it.labs;

import static dev.fencedoutbox.it.support.Fixtures.enqueue;
import static dev.fencedoutbox.it.support.Fixtures.message;
import static dev.fencedoutbox.schema.Tables.DELIVERY;
import static dev.fencedoutbox.schema.Tables.MESSAGE;
import static dev.fencedoutbox.schema.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fencedoutbox.it.http.PublishingPod;
import dev.fencedoutbox.it.support.ChildJvm;
import dev.fencedoutbox.it.support.Fixtures;
import dev.fencedoutbox.it.support.TestDatabase;
import dev.fencedoutbox.outbox.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.junit.jupiter.api.Test;

/**
 * Article 001's open end, posting to Slack exactly once: from two pods there is one post per key.
 * Where a pod dies between the post and its record there is a second one of that key, and only of
 * that; the second pod knows that it may be one, and counts it.
 */
class SlackPostTest {

  private static final TestDatabase DB = TestDatabase.create();
  private static final int ALERTS = 12;

  /** The post at which pod one dies; until then, Slack keeps pod two waiting at its first. */
  private static final int DEADLY = 3;

  private record Post(String key, String pod, String epoch, String text) {

    static Post of(RecordedRequest request) {
      return new Post(
          header(request, "Idempotency-Key"),
          header(request, "X-Pod"),
          header(request, "Outbox-Epoch"),
          Objects.requireNonNull(request.getBody()).utf8());
    }

    private static String header(RecordedRequest request, String name) {
      return Objects.requireNonNull(request.getHeaders().get(name));
    }
  }

  /** The channel as people see it. */
  private static final class Slack extends Dispatcher {

    private final Queue<Post> posts = new ConcurrentLinkedQueue<>();
    private final CountDownLatch oneIsDead = new CountDownLatch(1);

    @Override
    public MockResponse dispatch(RecordedRequest request) throws InterruptedException {
      Post post = Post.of(request);
      posts.add(post);
      if (post.pod().equals("two")) {
        oneIsDead.await();
      }
      return new MockResponse.Builder().body("ok").build();
    }
  }

  @Test
  void twoPods_postOncePerKey_andADeathBetweenPostAndRecordCostsOneMore_whichIsKnownAndCounted()
      throws IOException {
    enqueue(
        DB.dsl(),
        IntStream.range(0, ALERTS).mapToObj(i -> message("alert-" + i)).toArray(Message[]::new));
    Slack slack = new Slack();
    try (MockWebServer server = new MockWebServer()) {
      server.setDispatcher(slack);
      server.start();
      String webhook = server.url("/services/T0/B0/secret").toString();
      try (ChildJvm one = pod("one", webhook, DEADLY);
          ChildJvm two = pod("two", webhook, 0)) {
        String key = one.await("HOLDING ");
        one.kill();
        Fixtures.expireDelivery(DB.dsl(), idOf(key));
        slack.oneIsDead.countDown();

        await().until(() -> DB.dsl().fetchCount(RECEIPT) == ALERTS);
        assertThat(two.await("RECLAIMED ")).isEqualTo(key);
        two.say("close");
        assertThat(two.await("COUNTED "))
            .isEqualTo("delivered %d, reclaimed 1".formatted(ALERTS - (DEADLY - 1)));

        List<Post> posts = new ArrayList<>(slack.posts);
        assertThat(posts).hasSize(ALERTS + 1);
        assertThat(posts).extracting(Post::key).contains(keys());
        assertThat(posts)
            .filteredOn(post -> post.key().equals(key))
            .containsExactly(
                new Post(key, "one", "1", "{\"text\":\"alert " + key + "\"}"),
                new Post(key, "two", "2", "{\"text\":\"alert " + key + "\"}"));
        assertThat(posts)
            .filteredOn(post -> !post.key().equals(key))
            .extracting(Post::key)
            .doesNotHaveDuplicates();
      }
    }
  }

  private static ChildJvm pod(String name, String webhook, int deadly) {
    return ChildJvm.start(
        PublishingPod.class, name, DB.url(), webhook, "slack", Integer.toString(deadly));
  }

  private static String[] keys() {
    return IntStream.range(0, ALERTS).mapToObj(i -> "alert-" + i).toArray(String[]::new);
  }

  private static long idOf(String eventId) {
    return DB.dsl()
        .select(DELIVERY.ID)
        .from(DELIVERY)
        .join(MESSAGE)
        .on(MESSAGE.ID.eq(DELIVERY.MESSAGE_ID))
        .where(MESSAGE.EVENT_ID.eq(eventId))
        .fetchSingle()
        .value1();
  }
}
