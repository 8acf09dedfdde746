import { basename, isAbsolute, join } from 'node:path'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const MIN_NODE_VERSION = 24

if (Number(process.versions.node.split('.')[0]) < MIN_NODE_VERSION) {
  process.stderr.write(
    `Zonewright needs Node.js ${MIN_NODE_VERSION} or newer, found ${process.version}: start it with npm, which uses the pinned version\n`
  )
  process.exit(1)
}

const codeRoot = fileURLToPath(new URL('../../', import.meta.url))
const checkout = join(codeRoot, '..')
const isCompiled = basename(codeRoot) === 'build'

/**
 * The folder that relative paths and `.env` belong to: the checkout, also when the compiled code runs
 * from its `build/` folder, which every build empties. A copied `build/` folder is its own home.
 */
export const HOME = isCompiled && existsSync(join(checkout, 'adonisrc.ts')) ? checkout : codeRoot

process.env.NODE_ENV ??= isCompiled ? 'production' : 'development'

/**
 * Resolves a path of the operator (settings, `.env`) against the home folder.
 */
export function homePath(path: string): string {
  return isAbsolute(path) ? path : join(HOME, path)
}
