import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './shell.mjs'

/** In `build/`: what the build was made from. A build empties the folder, and the stamp with it. */
const STAMP = 'build/.sources'
/** What a build is not made from, beside everything whose name begins with a dot. */
const NO_SOURCES = ['build', 'docs', 'node_modules', 'scripts', 'tests', 'tmp']

/**
 * Builds the checkout, unless there is a build of the sources as they are now.
 *
 * @param node runs the pinned Node with these arguments in the checkout; gives its exit code and its output
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

/** Records what the build was made from, so that `ensureBuild` does not build again. To be called right after a build. */
export function stampBuild(root) {
  writeFileSync(join(root, STAMP), hashOfSources(root))
}

/** A hash over names and contents of everything a build is made from. */
function hashOfSources(root) {
  const hash = createHash('sha256')
  for (const path of sourcesIn(root, '')) {
    const content = readFileSync(join(root, path))
    hash.update(`${path}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Paths of the sources in a folder of the checkout and below it, in a fixed order. */
function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && !(folder === '' && NO_SOURCES.includes(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? sourcesIn(root, path) : [path]
    })
    .filter((path) => /\.(ts|js|json|edge|css|svg)$/.test(path))
}
