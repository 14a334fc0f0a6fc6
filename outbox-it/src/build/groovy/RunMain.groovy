// Runs a main class of this module in a JVM of its own, which writes straight to the terminal, and fails the build with it.
// (exec-maven-plugin would print a stack trace of its own on failure.)
// The profile says what by properties: run.name, run.main, and run.options, words like seconds=soak.seconds, each of which
// passes --seconds on if the property soak.seconds is set, by the profile or on the command line; run.scope, test for a main
// class among the tests.

import java.nio.file.Path

def project = binding.project
def property = { System.getProperty(it) ?: project.properties[it] }
def java = Path.of(System.getProperty('java.home'), 'bin', 'java').toString()
def options = ['postgres', 'postgres.port', 'postgres.image'].findAll { System.getProperty(it) }.collect { "-D$it=${System.getProperty(it)}" }
def classPath = (property('run.scope') == 'test' ? project.testClasspathElements : project.runtimeClasspathElements).join(File.pathSeparator)
def arguments = property('run.options').tokenize(' ').collect { it.split('=') }.findAll { property(it[1]) }.collect { "--${it[0]}=${property(it[1])}" }
def command = [java, *options, '-classpath', classPath, property('run.main'), *arguments]*.toString()

def process = new ProcessBuilder(command).inheritIO().start() // where mvn was called, so -Dorders may be relative to it
def stop = new Thread({ process.destroy() })
Runtime.runtime.addShutdownHook(stop)
def status = process.waitFor()
Runtime.runtime.removeShutdownHook(stop)
if (status != 0) throw new Exception("\n\nThe ${property('run.name')} failed with exit status $status.\n")
