package dev.fencedoutbox.job;

import dev.fencedoutbox.schema.Tables;
import java.util.concurrent.CompletableFuture;
import org.jooq.Record;

/** Somebody who waits for the end of a job. */
final class Waiting<I, C, R> {

  /** Which job. */
  record Name(String kind, String key) {

    static Name of(Record row) {
      return new Name(row.get(Tables.JOB.KIND), row.get(Tables.JOB.JOB_KEY));
    }
  }

  private final JobKind<I, C, R> kind;
  private final Name name;
  private final CompletableFuture<JobView<I, C, R>> future = new CompletableFuture<>();

  Waiting(JobKind<I, C, R> kind, String key) {
    this.kind = kind;
    this.name = new Name(kind.name(), key);
  }

  Name name() {
    return name;
  }

  CompletableFuture<JobView<I, C, R>> future() {
    return future;
  }

  /** What hangs on the future runs elsewhere, so that it holds up nobody else's. */
  void end(Record row) {
    CompletableFuture<JobView<I, C, R>> unused =
        future.completeAsync(() -> new JobView<>(kind, row));
  }

  void closed() {
    future.completeExceptionally(
        new IllegalStateException(
            "JobWaits was closed while it waited for job %s of kind %s. The job is not touched; read it with Jobs.find."
                .formatted(name.key(), name.kind())));
  }
}
