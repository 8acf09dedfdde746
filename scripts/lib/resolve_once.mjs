import * as modules from 'node:module'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
| For processes that tests start, by `node --import`: where an import of the build or of a package leads is looked up once for all of
| them, and kept in the file that ZW_TEST_RESOLVED names. Looking it up anew was a fifth of the start of a command, and tests
| start many hundreds. What is loaded is the same; sources and whatever lies elsewhere are looked up as ever.
*/
const FILE = process.env.ZW_TEST_RESOLVED
const ROOT = new URL('../../', import.meta.url).href
const FIXED = [`${ROOT}build/`, `${ROOT}node_modules/`]

const isFixed = (url) => FIXED.some((folder) => url.startsWith(folder))

/** What others found out so far. A file that is not there yet holds nothing. */
function kept(file) {
  try {
    return new Map(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return new Map()
  }
}

function resolveOnce(file) {
  const known = kept(file)
  const before = known.size
  modules.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL: parent, conditions } = context
      if (!parent || !isFixed(parent) || !conditions.includes('import')) {
        return next(specifier, context)
      }
      // Only the folder of who imports matters.
      const key = `${specifier} ${parent.slice(0, parent.lastIndexOf('/'))}`
      const found = known.get(key)
      if (found) return { url: found.url, format: found.format, shortCircuit: true }
      const { url, format, ...more } = next(specifier, context)
      if (isFixed(url)) known.set(key, { url, format })
      return { url, format, ...more }
    },
  })
  process.once('exit', () => {
    if (!isMainThread || known.size === before) return
    // Others read it at the same time: it is there as a whole, or as it was.
    const made = `${file}.${process.pid}`
    writeFileSync(made, JSON.stringify([...known]))
    renameSync(made, file)
  })
}

// The Node of the system may be too old for it.
if (FILE && modules.registerHooks) resolveOnce(FILE)
