package dev.fencedoutbox.it.schema;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fencedoutbox.it.app.ShopDatabase;
import dev.fencedoutbox.it.support.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Jdbc;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationTest {

  // Case 42: also from another database, on another day, on another machine's locale
  @ParameterizedTest
  @ValueSource(strings = {"../outbox-schema/src/build/jooq.xml", "src/build/jooq.xml"})
  void generation_twiceFromTwoDatabases_givesIdenticalFiles(String config, @TempDir Path temp)
      throws Exception {
    generate(config, migrated(), temp.resolve("first"));
    Locale locale = Locale.getDefault();
    TimeZone zone = TimeZone.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
      generate(config, migrated(), temp.resolve("second"));
    } finally {
      Locale.setDefault(locale);
      TimeZone.setDefault(zone);
    }

    Map<String, String> first = files(temp.resolve("first"));

    Map<String, String> second = files(temp.resolve("second"));
    assertThat(first).isNotEmpty();
    assertThat(second).containsOnlyKeys(first.keySet());
    first.forEach((name, text) -> assertThat(second.get(name)).as(name).isEqualTo(text));
  }

  private static String migrated() {
    String url = TestDatabase.createEmpty();
    ShopDatabase.migrate(TestDatabase.dataSource(url));
    return url;
  }

  private static void generate(String config, String url, Path target) throws Exception {
    try (InputStream xml = Files.newInputStream(Path.of(config))) {
      Configuration configuration = GenerationTool.load(xml);
      configuration.setJdbc(new Jdbc().withDriver("org.postgresql.Driver").withUrl(url));
      configuration.getGenerator().getTarget().setDirectory(target.toString());
      GenerationTool.generate(configuration);
    }
  }

  private static Map<String, String> files(Path root) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(root)) {
      paths = walk.filter(Files::isRegularFile).toList();
    }
    Map<String, String> files = new TreeMap<>();
    for (Path path : paths) {
      files.put(root.relativize(path).toString(), Files.readString(path, UTF_8));
    }
    return files;
  }
}
