package dev.fencedoutbox.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.internal.HostContext;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.VisitListener;
import org.jooq.conf.BackslashEscaping;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.MappedTable;
import org.jooq.conf.RenderKeywordCase;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderNameCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultVisitListenerProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An enqueue whose text is kept is the enqueue that jOOQ would render each time. */
class EnqueueTextsTest {

  private static final Topic<JSONB> JSON =
      Topic.json("json", Converter.of(JSONB.class, JSONB.class, json -> json, json -> json));
  private static final Topic<byte[]> BYTES =
      Topic.bytes(
          "bytes", "application/x", Converter.of(byte[].class, byte[].class, b -> b, b -> b));

  private final EnqueueTexts texts = new EnqueueTexts();

  static Stream<Settings> settings() {
    return Stream.of(
        new Settings(),
        new Settings().withRenderKeywordCase(RenderKeywordCase.UPPER),
        new Settings()
            .withRenderKeywordCase(RenderKeywordCase.UPPER)
            .withRenderLocale(Locale.forLanguageTag("tr")),
        new Settings().withRenderQuotedNames(RenderQuotedNames.NEVER),
        new Settings()
            .withRenderQuotedNames(RenderQuotedNames.NEVER)
            .withRenderNameCase(RenderNameCase.UPPER),
        new Settings().withRenderSchema(false),
        mapping("mail"),
        mapping("post"),
        mapping("what?{0}:name"),
        new Settings()
            .withRenderMapping(
                new RenderMapping()
                    .withSchemata(
                        new MappedSchema()
                            .withInputExpression(Pattern.compile("out.*"))
                            .withOutput("mail")
                            .withTables(
                                new MappedTable().withInput("message").withOutput("said")))),
        new Settings().withBackslashEscaping(BackslashEscaping.OFF),
        new Settings().withRenderFormatted(true),
        new Settings().withStatementType(StatementType.STATIC_STATEMENT));
  }

  private static Settings mapping(String schema) {
    return new Settings()
        .withRenderMapping(
            new RenderMapping()
                .withSchemata(new MappedSchema().withInput("outbox").withOutput(schema)));
  }

  /** Of each shape twice, with other values. */
  private static List<List<Message>> enqueues() {
    Message plain = JSON.message(JSONB.valueOf("{\"a\": 1}")).eventId("e1");
    Message full =
        BYTES
            .message(new byte[] {1, 2})
            .eventId("e2")
            .channel("billing")
            .header("trace", "it's \\ ? :x {0}")
            .after(Duration.ofSeconds(7));
    Channel[] two = {Channel.of("a"), Channel.of("b")};
    return Stream.of(plain, full)
        .flatMap(
            message ->
                Stream.of(
                    List.of(message),
                    List.of(message.orderingKey("key of " + message.eventId())),
                    List.of(message.channels(two)),
                    List.of(message.channels(two).orderingKey("l")),
                    List.of(message, plain.eventId("f").header("h", "v")),
                    List.of(full.eventId("f").orderingKey("k"), message.orderingKey("l"))))
        .toList();
  }

  @Test
  void query_underAnySettings_isTheOneThatJooqRendersEachTime() {
    List<DSLContext> hosts = settings().map(EnqueueTextsTest::under).toList();
    for (int round = 0; round < 2; round++) {
      for (DSLContext context : hosts) {
        for (List<Message> messages : enqueues()) {
          Query expected = OutboxSql.enqueue(EnqueueRows.of(messages));
          Query query = texts.query(context, messages);
          assertThat(context.render(query)).isEqualTo(context.render(expected));
          assertThat(query.getBindValues())
              .usingRecursiveComparison()
              .isEqualTo(expected.getBindValues());
        }
      }
    }
  }

  @Test
  void text_underTheSameSettings_isRenderedOnce() {
    EnqueueRows.Shape shape = new EnqueueRows.Shape(false, false, false);
    assertThat(texts.text(under(mapping("mail")), shape))
        .isSameAs(texts.text(under(mapping("mail")), shape))
        .isNotEqualTo(texts.text(under(mapping("post")), shape))
        .isNotEqualTo(
            texts.text(under(mapping("mail")), new EnqueueRows.Shape(true, false, false)));
  }

  /** A host that changes its own settings between two enqueues. */
  @Test
  void query_afterTheHostHasChangedItsMapping_followsIt() {
    DSLContext host = DSL.using(SQLDialect.POSTGRES, mapping("mail"));
    List<Message> messages = enqueues().get(0);
    DSLContext before = HostContext.of(host);
    assertThat(before.render(texts.query(before, messages))).contains("\"mail\".\"message\"");

    host.settings().getRenderMapping().getSchemata().get(0).setOutput("post");

    DSLContext after = HostContext.of(host);
    assertThat(after.render(texts.query(after, messages))).contains("\"post\".\"message\"");
  }

  @Test
  void texts_ofMoreSettingsThanAreKept_areRight() {
    for (int tenant = 0; tenant < 300; tenant++) {
      DSLContext context = under(mapping("tenant " + tenant));
      assertThat(context.render(texts.query(context, enqueues().get(0))))
          .contains("\"tenant " + tenant + "\".\"message\"");
      assertThat(texts.kept()).isBetween(1, 256);
    }
  }

  static Stream<DSLContext> contextsThatKeepNoText() {
    return Stream.of(
        HostContext.of(
            DSL.using(SQLDialect.POSTGRES)
                .configuration()
                .derive(DefaultVisitListenerProvider.providers(VisitListener.onVisitStart(c -> {})))
                .dsl()),
        under(new Settings().withStatementType(StatementType.STATIC_STATEMENT)),
        under(new Settings().withRenderFormatted(true)));
  }

  @ParameterizedTest
  @MethodSource("contextsThatKeepNoText")
  void query_whereARenderingMayDiffer_isBuiltEachTime(DSLContext context) {
    assertThat(texts.query(context, enqueues().get(0))).isInstanceOf(Select.class);
    assertThat(texts.kept()).isZero();
  }

  private static DSLContext under(Settings settings) {
    return HostContext.of(DSL.using(SQLDialect.POSTGRES, settings));
  }
}
