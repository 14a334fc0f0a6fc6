package dev.fencedoutbox.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Nothing that is published lacks a doc comment. doclint checks what stands in them; of what is
 * missing, it cannot tell a missing comment from a missing {@code @param} that would say nothing.
 */
class DocCommentsTest {

  @Test
  void everythingPublic_hasOne() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path root : List.of(Path.of("src/main/java"), Path.of("../outbox-schema/src/main/java"))) {
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(DocCommentsTest::isPublished).forEach(sources::add);
      }
    }
    Search search = new Search();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      search.docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        search.scan(unit, null);
      }
    }

    assertThat(search.seen).isGreaterThan(500);
    assertThat(search.bare).isEmpty();
  }

  private static boolean isPublished(Path file) {
    return file.toString().endsWith(".java") && !file.toString().matches(".*/(engine|internal)/.*");
  }

  /** Walks through what is public, and through nothing that is not. */
  private static final class Search extends TreePathScanner<Void, Void> {
    private final List<String> bare = new ArrayList<>();
    private int seen;
    private @Nullable DocTrees docs;

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
      if (isVisible(type.getModifiers())) {
        look(type.getSimpleName().toString());
        super.visitClass(type, null);
      }
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
      if (isVisible(method.getModifiers()) && !isOverride(method) && !isOfRecord(method)) {
        look(method.getName().toString());
      }
      return null;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree field, @Nullable Void nothing) {
      if (isVisible(field.getModifiers())) {
        look(field.getName().toString());
      }
      return null;
    }

    private void look(String name) {
      seen++;
      if (docs != null && docs.getDocComment(getCurrentPath()) == null) {
        bare.add(getCurrentPath().getCompilationUnit().getSourceFile().getName() + ": " + name);
      }
    }

    private boolean isVisible(ModifiersTree modifiers) {
      TreePath parent = getCurrentPath().getParentPath();
      boolean ofInterface = parent != null && parent.getLeaf().getKind() == Kind.INTERFACE;
      return (ofInterface && !modifiers.getFlags().contains(Modifier.PRIVATE))
          || modifiers.getFlags().contains(Modifier.PUBLIC)
          || modifiers.getFlags().contains(Modifier.PROTECTED);
    }

    private static boolean isOverride(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .map((AnnotationTree each) -> each.getAnnotationType().toString())
          .anyMatch("Override"::equals);
    }

    /** The record's own comment speaks of its components. */
    private boolean isOfRecord(MethodTree method) {
      TreePath parent = getCurrentPath().getParentPath();
      return method.getReturnType() == null
          && parent != null
          && parent.getLeaf().getKind() == Kind.RECORD;
    }
  }
}
