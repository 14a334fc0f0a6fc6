package dev.fencedoutbox.house;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedTypeVariable;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericDeclaration;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a caller or a subclass sees of a type, a line for the type and one for each member: enough
 * to notice that compiled callers break, or that a caller has to reckon with null (written {@code
 * String?}) where there was none.
 */
final class ApiText {

  private static final String OURS = "dev.fencedoutbox.";

  /** What every object has, and what the compiler writes into enums. */
  private static final Set<String> COMMON =
      Set.of("equals", "hashCode", "toString", "values", "valueOf");

  private final Class<?> type;

  private ApiText(Class<?> type) {
    this.type = type;
  }

  /** The type itself, and all its members. */
  static Stream<String> of(Class<?> type) {
    ApiText text = new ApiText(type);
    return Stream.of(Stream.of(text.header()), text.fields(), text.constructors(), text.methods())
        .flatMap(lines -> lines);
  }

  /** The type itself and its fields, for what is generated. */
  static Stream<String> ofFields(Class<?> type) {
    ApiText text = new ApiText(type);
    return Stream.concat(Stream.of(text.header()), text.fields());
  }

  private String header() {
    StringBuilder header = new StringBuilder(name()).append(": ");
    if (Modifier.isAbstract(type.getModifiers()) && !type.isInterface()) {
      header.append("abstract ");
    }
    if (Modifier.isFinal(type.getModifiers())) {
      header.append("final ");
    }
    header.append(kind()).append(parameters(type));
    if (!type.isRecord() && !type.isEnum()) {
      header.append(listed(" extends ", superclass()));
    }
    header.append(listed(" implements ", Arrays.stream(type.getAnnotatedInterfaces())));
    if (type.isSealed()) {
      header.append(
          Arrays.stream(type.getPermittedSubclasses())
              .map(ApiText::simple)
              .collect(joining(", ", " permits ", "")));
    }
    return header.toString();
  }

  private String kind() {
    if (type.isAnnotation()) {
      return "annotation";
    }
    if (type.isInterface()) {
      return "interface";
    }
    return type.isRecord() ? "record" : type.isEnum() ? "enum" : "class";
  }

  private Stream<AnnotatedType> superclass() {
    return type.isInterface() || Object.class.equals(type.getSuperclass())
        ? Stream.empty()
        : Stream.of(type.getAnnotatedSuperclass());
  }

  private Stream<String> fields() {
    return Arrays.stream(type.getDeclaredFields())
        .filter(this::isVisible)
        .map(field -> line(field, field.getName() + ": " + text(field.getAnnotatedType())));
  }

  private Stream<String> constructors() {
    return Arrays.stream(type.getDeclaredConstructors())
        .filter(this::isVisible)
        .map((Constructor<?> each) -> line(each, "new" + parameters(each) + taken(each)));
  }

  /** With those of superclasses that nobody can name. */
  private Stream<String> methods() {
    return Stream.concat(
            Arrays.stream(type.getDeclaredMethods()),
            Arrays.stream(type.getMethods())
                .filter(method -> !Modifier.isPublic(method.getDeclaringClass().getModifiers()))
                .filter(method -> !method.getDeclaringClass().equals(type)))
        .filter(this::isVisible)
        .filter(method -> !COMMON.contains(method.getName()))
        .map(method -> line(method, signature(method)))
        .distinct();
  }

  private String signature(Method method) {
    return (method.isDefault() ? "default " : "")
        + method.getName()
        + parameters(method)
        + taken(method)
        + ": "
        + text(method.getAnnotatedReturnType())
        + listed(" throws ", Arrays.stream(method.getAnnotatedExceptionTypes()));
  }

  private static String taken(Executable executable) {
    String taken =
        Arrays.stream(executable.getAnnotatedParameterTypes())
            .map(ApiText::text)
            .collect(joining(", ", "(", ")"));
    return executable.isVarArgs() ? taken.replaceFirst("\\[]\\)$", "...)") : taken;
  }

  private String line(Member member, String text) {
    int modifiers = member.getModifiers();
    return name()
        + "#"
        + (Modifier.isProtected(modifiers) ? "protected " : "")
        + (Modifier.isStatic(modifiers) ? "static " : "")
        + (Modifier.isAbstract(modifiers) && !type.isInterface() ? "abstract " : "")
        + (Modifier.isFinal(modifiers) && member instanceof Field ? "final " : "")
        + text;
  }

  private boolean isVisible(Member member) {
    int modifiers = member.getModifiers();
    return !member.isSynthetic()
        && (Modifier.isPublic(modifiers)
            || (Modifier.isProtected(modifiers) && !Modifier.isFinal(type.getModifiers())));
  }

  private String name() {
    return type.getName().substring(OURS.length()).replace('$', '.');
  }

  private static String parameters(GenericDeclaration declaration) {
    TypeVariable<?>[] variables = declaration.getTypeParameters();
    return variables.length == 0
        ? ""
        : Arrays.stream(variables)
            .map(each -> each.getName() + bounds(each))
            .collect(joining(", ", "<", ">"));
  }

  private static String bounds(TypeVariable<?> variable) {
    List<AnnotatedType> bounds =
        Arrays.stream(variable.getAnnotatedBounds())
            .filter(bound -> bound.isAnnotationPresent(Nullable.class) || !isObject(bound))
            .toList();
    return bounds.stream()
        .map(ApiText::text)
        .collect(joining(" & ", bounds.isEmpty() ? "" : " extends ", ""));
  }

  private static boolean isObject(AnnotatedType type) {
    return type.getType().equals(Object.class);
  }

  private static String listed(String before, Stream<AnnotatedType> types) {
    List<String> texts = types.map(ApiText::text).toList();
    return texts.isEmpty() ? "" : before + String.join(", ", texts);
  }

  private static String text(AnnotatedType type) {
    return bare(type) + (type.isAnnotationPresent(Nullable.class) ? "?" : "");
  }

  private static String bare(AnnotatedType type) {
    if (type instanceof AnnotatedArrayType array) {
      return text(array.getAnnotatedGenericComponentType()) + "[]";
    }
    if (type instanceof AnnotatedParameterizedType generic) {
      return simple(((ParameterizedType) generic.getType()).getRawType())
          + Arrays.stream(generic.getAnnotatedActualTypeArguments())
              .map(ApiText::text)
              .collect(joining(", ", "<", ">"));
    }
    if (type instanceof AnnotatedWildcardType wildcard) {
      String lower = listed("? super ", Arrays.stream(wildcard.getAnnotatedLowerBounds()));
      String upper =
          listed(
              "? extends ",
              Arrays.stream(wildcard.getAnnotatedUpperBounds()).filter(each -> !isObject(each)));
      return lower.isEmpty() ? (upper.isEmpty() ? "?" : upper) : lower;
    }
    return type instanceof AnnotatedTypeVariable
        ? type.getType().getTypeName()
        : simple(type.getType());
  }

  /** Without its package: all that are used here differ in their names. */
  private static String simple(Type type) {
    if (!(type instanceof Class<?> raw)) {
      return type.getTypeName();
    }
    Class<?> outer = raw.getEnclosingClass();
    return outer == null ? raw.getSimpleName() : simple(outer) + "." + raw.getSimpleName();
  }
}
