import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { ok, remark, type Finding } from '#health/doctor/finding'

const CHECK_NAME = 'secret_files'
const OTHER_USERS_MODE = 0o007

/**
 * Whether users other than owner and group can read files with secrets.
 *
 * @param paths absolute; missing files are no finding
 */
export async function secretFiles(paths: readonly string[]): Promise<Finding> {
  const readableFiles: string[] = []
  for (const path of paths) {
    const mode = await modeOf(path)
    if (mode & OTHER_USERS_MODE) readableFiles.push(path)
  }
  if (readableFiles.length === 0)
    return ok(CHECK_NAME, 'Other users cannot open the files with secrets')
  const names = readableFiles.map((path) => basename(path)).join(', ')
  return remark(
    CHECK_NAME,
    `Every user of this machine can open files with secrets: ${names}`,
    `Run: chmod o-rwx ${readableFiles.join(' ')}`
  )
}

async function modeOf(path: string): Promise<number> {
  try {
    const { mode } = await stat(path)
    return mode
  } catch {
    return 0
  }
}
