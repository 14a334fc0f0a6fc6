package dev.fencedoutbox.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the beginning of an answer's body and lets the rest go by. What is longer than anybody
 * would say about a delivery is not waited for: the connection is given up.
 */
final class Beginning implements BodySubscriber<byte[]> {

  /** Bytes in memory. */
  static final int KEPT = 2 * 1024;

  /** Bytes that are read so that the connection can be used again. */
  static final int READ = 64 * 1024;

  private final CompletableFuture<byte[]> beginning = new CompletableFuture<>();
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private Flow.@Nullable Subscription subscription;
  private long seen;

  @Override
  public CompletionStage<byte[]> getBody() {
    return beginning;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      seen += buffer.remaining();
      byte[] next = new byte[Math.min(buffer.remaining(), KEPT - kept.size())];
      buffer.get(next);
      kept.writeBytes(next);
    }
    if (seen > READ && subscription != null) {
      onComplete(); // first: by HTTP/2, to cancel comes back as an error
      subscription.cancel();
    }
  }

  @Override
  public void onError(Throwable broken) {
    beginning.completeExceptionally(broken);
  }

  @Override
  public void onComplete() {
    beginning.complete(kept.toByteArray());
  }
}
