package dev.fencedoutbox.internal;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Ignoring what such a method returns is a mistake: "no row matched" is a result. Error Prone and
 * IDEs know an annotation of this name in any package.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.PACKAGE})
public @interface CheckReturnValue {}
