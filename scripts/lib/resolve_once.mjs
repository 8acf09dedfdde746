import * as modules from 'node:module'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
| Loaded by `node --import` in processes that tests start. Stores resolved imports of the build and of packages in the file
| ZW_TEST_RESOLVED, which all processes share. Resolving took a fifth of the start of a command, and tests start many
| hundreds. The loaded code is the same. Sources and other paths are resolved as usual.
*/
const FILE = process.env.ZW_TEST_RESOLVED
const ROOT = new URL('../../', import.meta.url).href
const FIXED = [`${ROOT}build/`, `${ROOT}node_modules/`]

const isFixed = (url) => FIXED.some((folder) => url.startsWith(folder))

/** Resolved imports of earlier processes; empty if the file does not exist. */
function readCache(file) {
  try {
    return new Map(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return new Map()
  }
}

function resolveOnce(file) {
  const cache = readCache(file)
  const before = cache.size
  modules.registerHooks({
    resolve(specifier, context, next) {
      const { parentURL: parent, conditions } = context
      if (!parent || !isFixed(parent) || !conditions.includes('import')) {
        return next(specifier, context)
      }
      // The result depends on the folder of the importing file only.
      const key = `${specifier} ${parent.slice(0, parent.lastIndexOf('/'))}`
      const cached = cache.get(key)
      if (cached) return { url: cached.url, format: cached.format, shortCircuit: true }
      const { url, format, ...more } = next(specifier, context)
      if (isFixed(url)) cache.set(key, { url, format })
      return { url, format, ...more }
    },
  })
  process.once('exit', () => {
    if (!isMainThread || cache.size === before) return
    // Renamed when complete: other processes read the file at the same time.
    const temporaryFile = `${file}.${process.pid}`
    writeFileSync(temporaryFile, JSON.stringify([...cache]))
    renameSync(temporaryFile, file)
  })
}

// The system's Node may be too old for `registerHooks`.
if (FILE && modules.registerHooks) resolveOnce(FILE)
