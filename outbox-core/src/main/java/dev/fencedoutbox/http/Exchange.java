package dev.fencedoutbox.http;

import dev.fencedoutbox.relay.Attempt;
import dev.fencedoutbox.relay.DeliveryOutcome;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One request and what comes of it, in time. */
final class Exchange implements BodyHandler<byte[]> {

  private record Begun(CompletableFuture<HttpResponse<byte[]>> answer) {}

  private final HttpRequest request;
  private final Attempt attempt;
  private final String receiver;
  private volatile @Nullable ResponseInfo head;
  private volatile boolean over;

  Exchange(HttpRequest request, Attempt attempt) {
    this.request = request;
    this.attempt = attempt;
    this.receiver = Addresses.origin(request.uri());
  }

  @Override
  public BodySubscriber<byte[]> apply(ResponseInfo answered) {
    head = answered;
    return new Beginning();
  }

  /**
   * The JDK's own timeout ends with the answer's head, so all is waited for here; and before it
   * sends, the client looks up the host's name in the calling thread, so that is one of {@code
   * senders}.
   */
  DeliveryOutcome send(HttpClient client, Executor senders, Duration timeout) throws Exception {
    if (Thread.currentThread().isInterrupted()) {
      return DeliveryOutcome.retry(
          receiver + ": the handler was interrupted before the request. Nothing was sent.");
    }
    CompletableFuture<Begun> begun = CompletableFuture.supplyAsync(() -> begin(client), senders);
    try {
      HttpResponse<byte[]> complete =
          begun.thenCompose(Begun::answer).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
      return complete.request().method().equals(request.method())
          ? answer(Objects.requireNonNull(head)).complete(complete.body())
          : redirected(complete.request());
    } catch (TimeoutException e) {
      return unanswered("no answer within " + timeout, "did not end within " + timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // for the relay, which wants its thread back
      return unanswered(
          "the handler was interrupted before an answer", "was cut short by an interrupt");
    } catch (ExecutionException e) {
      return failed(e);
    } finally {
      over = true;
      // closes the connection, or ends the stream, unless all is over
      CompletableFuture<Void> unused = begun.thenAccept(sent -> sent.answer().cancel(true));
    }
  }

  private Begun begin(HttpClient client) {
    return new Begun(
        over
            ? CompletableFuture.failedFuture(new CancellationException())
            : client.sendAsync(request, this));
  }

  /** A client that follows such a redirect leaves out the body, so this was said to nothing. */
  private DeliveryOutcome redirected(HttpRequest last) {
    return DeliveryOutcome.bury(
        "%s answered by a redirect, and the client followed it to %s by a %s without the message. Give the publisher the new address."
            .formatted(receiver, Addresses.origin(last.uri()), last.method()));
  }

  private DeliveryOutcome failed(ExecutionException e) throws Exception {
    if (!(e.getCause() instanceof IOException broken)) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
    Optional<String> unsent = head == null ? Trouble.beforeTheRequest(broken) : Optional.empty();
    if (unsent.isPresent()) {
      return DeliveryOutcome.retry("%s: %s.".formatted(receiver, unsent.get()));
    }
    String text = Trouble.text(broken);
    return unanswered(
        "the connection broke before an answer (%s)".formatted(text),
        "broke off (%s)".formatted(text));
  }

  /**
   * No answer, or not to its end.
   *
   * @param none what to say if there was none
   * @param begun what to say of one that had begun
   */
  private DeliveryOutcome unanswered(String none, String begun) {
    ResponseInfo answered = head;
    return answered == null
        ? DeliveryOutcome.retry(
            "%s: %s. The message may have been taken in.".formatted(receiver, none))
        : answer(answered).brokenOff(begun);
  }

  private Answer answer(ResponseInfo answered) {
    return new Answer(receiver, answered, () -> LeaseTime.now(attempt));
  }
}
