import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Quick tests of the whole tree: dependency rules, and documentation against code. */
const ALWAYS = ['unit/architecture/**', 'unit/docs/**']
/** Folders below `app/` whose unit tests are in a folder with another name. */
const TESTED_BY = {
  'app/validators': ['unit/web'],
  'app/transformers': ['unit/web'],
  'app/controllers': ['unit/web', 'unit/dyndns'],
  'config': ['unit/settings'],
  'database': ['unit/database'],
  'resources': ['unit/web'],
  'start': ['unit/workers'],
}

/** The folder of unit tests for a source file: the nearest one with the same path as below `app/`. */
function mirrorOf(root, file) {
  const words = file
    .replace(/^app\//, '')
    .split('/')
    .slice(0, -1)
  for (; words.length > 0; words.pop()) {
    const folder = join('unit', ...words)
    if (existsSync(join(root, 'tests', folder))) return [folder]
  }
  return []
}

/** `--files` filters for the unit tests of changed files. */
export function unitTestsOf(root, files) {
  const folders = files.flatMap((file) => {
    if (/^tests\/unit\/.*\.spec\.ts$/.test(file)) return [file.replace(/^tests\/|\.spec\.ts$/g, '')]
    const special = Object.keys(TESTED_BY).find((folder) => file.startsWith(`${folder}/`))
    const found = special ? TESTED_BY[special] : file.startsWith('app/') ? mirrorOf(root, file) : []
    return found.map((folder) => `${folder}/**`)
  })
  return [...new Set([...ALWAYS, ...folders])]
}
