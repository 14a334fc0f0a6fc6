package dev.fencedoutbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Of a body, whatever its length, a beginning is held and a bounded part read. */
class BeginningTest {

  private final Beginning beginning = new Beginning();
  private final AtomicInteger cancelled = new AtomicInteger();

  private CompletableFuture<byte[]> subscribed() {
    beginning.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long n) {}

          @Override
          public void cancel() {
            cancelled.incrementAndGet();
            beginning.onError(new IOException("cancelled")); // as by HTTP/2
          }
        });
    return beginning.getBody().toCompletableFuture();
  }

  private void next(int... sizes) {
    for (int size : sizes) {
      beginning.onNext(List.of(ByteBuffer.wrap(new byte[size])));
    }
  }

  @Test
  void shortBody_isKept_whenItEnds() {
    CompletableFuture<byte[]> body = subscribed();
    next(100, 0, 28);
    assertThat(body).isNotDone();
    beginning.onComplete();

    assertThat(body.join()).hasSize(128);
    assertThat(cancelled).hasValue(0);
  }

  @Test
  void longerBody_isReadToItsEnd_andItsBeginningKept() {
    CompletableFuture<byte[]> body = subscribed();
    next(Beginning.KEPT - 1, 2, Beginning.READ - Beginning.KEPT - 1);
    assertThat(body).isNotDone();
    beginning.onComplete();

    assertThat(body.join()).hasSize(Beginning.KEPT);
    assertThat(cancelled).hasValue(0);
  }

  @Test
  void bodyWithoutEnd_isGivenUp_andItsBeginningStands() {
    CompletableFuture<byte[]> body = subscribed();
    next(Beginning.READ, 1);

    assertThat(cancelled).hasValue(1);
    assertThat(body.join()).hasSize(Beginning.KEPT);
  }

  @Test
  void bodyThatBreaksOff_isNone() {
    CompletableFuture<byte[]> body = subscribed();
    next(100);
    beginning.onError(new IOException("reset"));

    assertThat(body).isCompletedExceptionally();
  }
}
