// Starts the server for generation, creates a database on it and puts its JDBC URL into the project property
// generation.url. Compiles PostgresServer, which the tests use too, since nothing of this build is compiled yet.

import java.lang.reflect.InvocationHandler
import java.lang.reflect.Proxy
import java.nio.file.Files
import java.nio.file.Path
import java.nio.file.StandardCopyOption
import javax.tools.ToolProvider
import org.apache.maven.execution.ExecutionListener

def project = binding.project
def session = binding.session
def schema = Path.of(project.basedir.path, '..', 'outbox-schema').normalize()
def sources = Files.walk(schema.resolve('src/build/java')).filter { it.toString().endsWith('.java') }.toList()
def classes = Files.createDirectories(schema.resolve('target/build-classes'))
def plugin = org.postgresql.Driver.classLoader // holds what the parent pom gives gmavenplus as dependencies

// Flyway's plugin lets these overrule the pom: with FLYWAY_URL it would migrate somebody's own database.
def overruling = System.getenv().keySet().findAll { it.startsWith('FLYWAY_') }.sort()
if (overruling) {
  throw new Exception("\n\nThe environment overrules where and what this build migrates: ${overruling.join(', ')}.\n" +
      "Nothing was migrated. Run it without them: env ${overruling.collect { "-u $it" }.join(' ')} mvn ...\n")
}

// javac takes three seconds, so only when a source is newer than what it made of them last
def compiled = classes.resolve('compiled').toFile()
if (sources.any { it.toFile().lastModified() > compiled.lastModified() }) {
  def compiler = ToolProvider.systemJavaCompiler
  if (compiler == null) throw new IllegalStateException('This build needs a JDK; the Java that runs Maven has no compiler.')
  def files = compiler.getStandardFileManager(null, null, null)
  def classPath = plugin.URLs.collect { new File(it.toURI()).path }.join(File.pathSeparator)
  def options = ['-d', classes.toString(), '-classpath', classPath, '--release', '17', '-proc:none']
  def said = new StringWriter()
  if (!compiler.getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources)).call()) {
    throw new IllegalStateException("src/build/java does not compile:\n$said")
  }
  compiled.text = ''
}

// jOOQ's plugin finds a generator of one's own only among the project's classes. StopPostgres takes it out again.
if (project.artifactId == 'outbox-schema') {
  def generator = Path.of('dev', 'fencedoutbox', 'build', 'RequiredColumnsGenerator.class')
  def lent = Path.of(project.build.outputDirectory).resolve(generator)
  Files.createDirectories(lent.parent)
  Files.copy(classes.resolve(generator), lent, StandardCopyOption.REPLACE_EXISTING)
  project.setContextValue('generation.lent', lent)
}

def type = new URLClassLoader([classes.toUri().toURL()] as URL[], plugin).loadClass('dev.fencedoutbox.build.PostgresServer')
try {
  def server = type.startConfigured()
  project.setContextValue('generation.server', server)

  // When the build fails before StopPostgres, stop the server then: as the JVM ends, the plugin's classes are gone.
  // Testcontainers cleans up at the end of the JVM; having done it before, it finds its classes loaded.
  def listener = session.request.executionListener
  session.request.executionListener = Proxy.newProxyInstance(ExecutionListener.classLoader, [ExecutionListener] as Class[], { proxy, method, args ->
    if (method.name in ['projectFailed', 'projectSucceeded'] && args[0].project.is(project)) {
      server.close()
      if (System.getProperty('postgres') == 'testcontainers') org.testcontainers.utility.ResourceReaper.instance().performCleanup()
    }
    listener == null ? null : method.invoke(listener, args)
  } as InvocationHandler)

  project.properties['generation.url'] = server.createDatabase('outbox_generation')
} catch (RuntimeException e) {
  if (e.class.simpleName != 'PostgresUnavailable') throw e
  binding.log.debug(e)
  throw new Exception("\n\n$e.message\n") // without its cause, which Maven would append to the message
}
