// Runs the demo in a JVM of its own, which writes straight to the terminal, and fails the build with it.
// (exec-maven-plugin would print a stack trace of its own on failure.)

import java.nio.file.Path

def project = binding.project
def java = Path.of(System.getProperty('java.home'), 'bin', 'java').toString()
def options = ['postgres', 'postgres.port', 'postgres.image'].findAll { System.getProperty(it) }.collect { "-D$it=${System.getProperty(it)}" }
def orders = System.getProperty('orders') ?: project.properties['orders']
def classPath = project.runtimeClasspathElements.join(File.pathSeparator)
def command = [java, *options, '-classpath', classPath, 'dev.fencedoutbox.it.demo.Demo', "--orders=$orders"]*.toString()

def demo = new ProcessBuilder(command).inheritIO().start() // where mvn was called, so -Dorders may be relative to it
def stop = new Thread({ demo.destroy() })
Runtime.runtime.addShutdownHook(stop)
def status = demo.waitFor()
Runtime.runtime.removeShutdownHook(stop)
if (status != 0) throw new Exception("\n\nThe demo failed with exit status $status.\n")
