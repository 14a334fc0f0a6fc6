// Starts the server for generation, creates a database on it and puts its JDBC URL into the project property
// generation.url. Compiles PostgresServer, which the tests use too, since nothing of this build is compiled yet.

import java.nio.file.Files
import java.nio.file.Path
import javax.tools.ToolProvider

def build = Path.of(binding.project.basedir.path, '..', 'outbox-schema', 'src', 'build', 'java')
def classes = Files.createDirectories(Path.of(binding.project.build.directory, 'build-classes'))
def sources = Files.walk(build).filter { it.toString().endsWith('.java') }.toList()
def plugin = org.postgresql.Driver.classLoader // holds what the parent pom gives gmavenplus as dependencies

def compiler = ToolProvider.systemJavaCompiler
if (compiler == null) throw new IllegalStateException('This build needs a JDK; the Java that runs Maven has no compiler.')
def files = compiler.getStandardFileManager(null, null, null)
def options = ['-d', classes.toString(), '-classpath', plugin.URLs.collect { new File(it.toURI()).path }.join(File.pathSeparator), '-proc:none']
def out = new StringWriter()
if (!compiler.getTask(out, files, null, options, null, files.getJavaFileObjectsFromPaths(sources)).call()) {
  throw new IllegalStateException("src/build/java does not compile:\n$out")
}

def type = new URLClassLoader([classes.toUri().toURL()] as URL[], plugin).loadClass('dev.fencedoutbox.build.PostgresServer')
try {
  def server = type.startConfigured()
  binding.project.setContextValue('generation.server', server)
  binding.project.properties['generation.url'] = server.createDatabase('outbox_generation')
} catch (RuntimeException e) {
  if (e.class.simpleName != 'PostgresUnavailable') throw e
  binding.log.debug(e)
  throw new Exception("\n\n$e.message\n") // without its cause, which Maven would append to the message
}
