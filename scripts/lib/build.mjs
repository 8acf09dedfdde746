import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './shell.mjs'

/** Hash of the sources of the build. A build empties the folder and deletes this file. */
const STAMP = 'build/.sources'
/** Paths that are not sources of the build. Names that begin with a dot are not sources either. */
const NON_SOURCES = ['build', 'docs', 'node_modules', 'scripts', 'tests', 'tmp']

/**
 * Builds the checkout, unless `build/` matches the current sources.
 *
 * @param node runs the pinned Node with these arguments in the checkout; returns its exit code and output
 */
export async function ensureBuild(root, node) {
  const stamp = join(root, STAMP)
  const sources = hashOfSources(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) {
    return
  }
  console.log('Building')
  const [code, text] = await node(['ace.js', 'build'])
  if (code !== 0) {
    throw new OperatorError(`${text}The build failed with exit code ${code}`)
  }
  writeFileSync(stamp, sources)
}

/** Stores the hash of the sources, so that `ensureBuild` does not build again. Must be called right after a build. */
export function stampBuild(root) {
  writeFileSync(join(root, STAMP), hashOfSources(root))
}

/** Hash of the names and contents of all sources. */
function hashOfSources(root) {
  const hash = createHash('sha256')
  for (const path of sourcesIn(root, '')) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Paths of all sources below a folder of the checkout, in a fixed order. */
function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !(folder === '' && NON_SOURCES.includes(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? sourcesIn(root, path) : [path]
    })
    .filter((path) => /\.(ts|js|json|edge|css|svg)$/.test(path))
}
