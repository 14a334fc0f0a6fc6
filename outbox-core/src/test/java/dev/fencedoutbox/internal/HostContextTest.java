package dev.fencedoutbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderNameCase;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the library takes over of a host's settings. */
class HostContextTest {

  /** Each of jOOQ's settings by itself; one that is not listed keeps the library's value. */
  @Test
  void settings_thatAreTakenOver_areTheseAlone() throws ReflectiveOperationException {
    Set<String> takenOver = new TreeSet<>();
    for (Method setter : Settings.class.getMethods()) {
      if (setter.getName().startsWith("set") && isTakenOver(setter)) {
        takenOver.add(setter.getName().substring("set".length()));
      }
    }

    assertThat(takenOver)
        .containsExactly(
            "BackslashEscaping",
            "BindOffsetDateTimeType",
            "ExecuteLogging",
            "QueryTimeout",
            "RenderFormatted",
            "RenderKeywordCase",
            "RenderLocale",
            "RenderQuotedNames",
            "RenderSchema",
            "StatementType");
  }

  private static boolean isTakenOver(Method setter) throws ReflectiveOperationException {
    Settings host = new Settings();
    Method getter = getterOf(setter);
    Object other = otherThan(getter.invoke(host), setter.getParameterTypes()[0]);
    if (other == null) {
      return false;
    }
    setter.invoke(host, other);
    return other.equals(getter.invoke(derived(host)));
  }

  private static Method getterOf(Method setter) throws NoSuchMethodException {
    String name = setter.getName().substring("set".length());
    boolean flag = setter.getParameterTypes()[0] == Boolean.class;
    return Settings.class.getMethod((flag ? "is" : "get") + name);
  }

  /** Another value of a simple type, and null of another type. */
  private static @Nullable Object otherThan(@Nullable Object value, Class<?> type) {
    if (type == Boolean.class) {
      return !Boolean.TRUE.equals(value);
    } else if (type == Integer.class) {
      return 4711;
    } else if (type == String.class) {
      return "other";
    } else if (type == Locale.class) {
      return Locale.forLanguageTag("ar-EG");
    } else if (type.isEnum()) {
      Object[] all = type.getEnumConstants();
      return all[0].equals(value) ? all[1] : all[0];
    }
    return null;
  }

  @Test
  void renderMapping_isTakenOver_andTheHostsOwnStaysItsOwn() {
    Settings host =
        new Settings()
            .withRenderMapping(
                new RenderMapping()
                    .withSchemata(new MappedSchema().withInput("outbox").withOutput("mail")));

    RenderMapping mapping = derived(host).getRenderMapping();
    assertThat(mapping).isEqualTo(host.getRenderMapping());

    mapping.setDefaultSchema("other");
    assertThat(host.getRenderMapping().getDefaultSchema()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void renderNameCase_isTakenOverOnlyWhereNamesAreUnquoted(RenderQuotedNames quoted) {
    Settings host =
        new Settings().withRenderQuotedNames(quoted).withRenderNameCase(RenderNameCase.UPPER);

    assertThat(derived(host).getRenderNameCase())
        .isEqualTo(
            switch (quoted) {
              case NEVER, EXPLICIT_DEFAULT_UNQUOTED -> RenderNameCase.UPPER;
              case ALWAYS, EXPLICIT_DEFAULT_QUOTED -> RenderNameCase.AS_IS;
            });
  }

  @Test
  void withoutLogging_logsNothing_whateverTheHostSays() {
    DSLContext host = DSL.using(SQLDialect.POSTGRES, new Settings().withExecuteLogging(true));

    assertThat(HostContext.withoutLogging(host).settings().isExecuteLogging()).isFalse();
  }

  private static Settings derived(Settings host) {
    return HostContext.of(DSL.using(SQLDialect.POSTGRES, host)).settings();
  }
}
