// Stops the server that StartPostgres started. When the build fails in between, it stops with the JVM.
binding.project.getContextValue('generation.server')?.close()

def build = new File(binding.project.build.outputDirectory, 'dev/fencedoutbox/build')
new File(build, 'RequiredColumnsGenerator.class').delete()
build.delete()
