import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, wrongFinding, type Finding } from '#health/doctor/finding'

/** Checks that the directory for temporary files is writable. Long lists are sorted there. */
export async function temporaryFiles(): Promise<Finding> {
  const directory = tmpdir()
  try {
    await rmdir(await mkdtemp(join(directory, 'zonewright-doctor-')))
    return ok('temporary_files', 'Temporary files can be written')
  } catch {
    return wrongFinding(
      'temporary_files',
      `Temporary files cannot be written to ${directory}`,
      'Set TMPDIR to a directory that this user can write to, with space for the longest list'
    )
  }
}
