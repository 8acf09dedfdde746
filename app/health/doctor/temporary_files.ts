import { mkdtemp, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ok, wrong, type Finding } from '#health/doctor/finding'

/** Whether the directory for temporary files can be written: long lists are sorted there. */
export async function temporaryFiles(): Promise<Finding> {
  const place = tmpdir()
  try {
    await rmdir(await mkdtemp(join(place, 'zonewright-doctor-')))
    return ok('temporary_files', 'Temporary files can be written')
  } catch {
    return wrong(
      'temporary_files',
      `Temporary files cannot be written to ${place}`,
      'Set TMPDIR to a directory that this user can write to, with space for the longest list'
    )
  }
}
