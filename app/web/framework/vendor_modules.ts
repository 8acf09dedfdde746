import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Modules of packages that browsers may load, by the names of their imports. */
const MODULES: Readonly<Record<string, string>> = {
  '@codemirror/commands': 'dist/index.js',
  '@codemirror/language': 'dist/index.js',
  '@codemirror/lint': 'dist/index.js',
  '@codemirror/search': 'dist/index.js',
  '@codemirror/state': 'dist/index.js',
  '@codemirror/streamparser': 'dist/index.js',
  '@codemirror/view': 'dist/index.js',
  '@lezer/common': 'dist/index.js',
  '@lezer/highlight': 'dist/index.js',
  '@marijn/find-cluster-break': 'src/index.js',
  'crelt': 'index.js',
  'style-mod': 'src/style-mod.js',
  'w3c-keyname': 'index.js',
}

const IMPORT = /^((?:import|export) [^;'"]*from )['"]([^'".][^'"]*)['"]/gm

/**
 * Modules of packages as files under `js/vendor/`, unchanged but for their imports (`withFiles`). Throws for a missing package
 * or an import that is not among them.
 */
export function vendorFiles(): Map<string, Buffer> {
  return new Map(
    Object.entries(MODULES).map(([name, path]) => {
      const code = withFiles(readFileSync(join(folderOf(name), path), 'utf8'), '.')
      return [`js/vendor/${fileOf(name)}`, Buffer.from(code)]
    })
  )
}

/**
 * Replaces imports of packages by URLs of files, which browsers can load.
 *
 * @param folder URL of the files, relative to the module
 */
export function withFiles(source: string, folder: string): string {
  return source.replaceAll(
    IMPORT,
    (_, words: string, wanted: string) => `${words}'${folder}/${fileOf(wanted)}'`
  )
}

/** The file of a module: `@codemirror/view` is `codemirror-view.js`. */
function fileOf(name: string): string {
  if (!Object.hasOwn(MODULES, name)) {
    throw new Error(`The module ${name} is not in the list of browser modules`)
  }
  return `${name.replace('@', '').replace('/', '-')}.js`
}

function folderOf(name: string): string {
  const require = createRequire(import.meta.url)
  const folder = require.resolve
    .paths(name)
    ?.map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')))
  if (!folder) {
    throw new Error(`The package ${name} is not installed`)
  }
  return folder
}
