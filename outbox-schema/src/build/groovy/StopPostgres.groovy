// Stops the server that StartPostgres started, and takes back the generator that it lent to jOOQ's plugin.

import java.nio.file.Files

def project = binding.project
project.getContextValue('generation.server')?.close()

def lent = project.getContextValue('generation.lent')
if (lent != null) {
  Files.delete(lent)
  Files.delete(lent.parent)
}
