import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { ok, remark, type Finding } from '#health/doctor/finding'

const CHECK = 'secret_files'
const OTHERS = 0o007

/**
 * Whether users of the machine beside owner and group can read files that hold secrets.
 *
 * @param paths absolute; files that are not there count as well kept
 */
export async function secretFiles(paths: readonly string[]): Promise<Finding> {
  const open: string[] = []
  for (const path of paths) {
    const mode = await modeOf(path)
    if (mode & OTHERS) open.push(path)
  }
  if (open.length === 0) return ok(CHECK, 'Files with secrets are closed to other users')
  const names = open.map((path) => basename(path)).join(', ')
  return remark(
    CHECK,
    `Every user of this machine can open ${names}, with secrets in it`,
    `chmod o-rwx ${open.join(' ')}`
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
