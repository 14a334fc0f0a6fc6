// Stops the server that StartPostgres started. When the build fails in between, it stops with the JVM.
binding.project.getContextValue('generation.server')?.close()
