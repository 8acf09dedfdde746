import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const MAX_FILES = 20

/** Folders that AdonisJS loads as flat lists. */
const FLAT = ['config', 'resources/lang/ar', 'resources/lang/de', 'resources/lang/en']

/** Returns paths of source files relative to the root. */
function sources(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
}

const IMPORT_MAP = Object.entries(
  (
    JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      imports: Record<string, string>
    }
  ).imports
).map(([alias, path]) => [alias.replace('*', ''), path.replace('./', '')] as const)

/** Returns the source file of an import; null for a package. */
function fileOf(importer: string, name: string): string | null {
  if (name.startsWith('.')) return join(dirname(importer), name).replace(/\.js$/, '.ts')
  const known = IMPORT_MAP.find(([alias]) => name.startsWith(alias))
  if (!known) return null
  const [alias, path] = known
  return path.replace('*.js', `${name.slice(alias.length)}.ts`)
}

/** Returns the imports of a text by kind. `import { type A }` only imports types. */
function importsOf(text: string): { name: string; isType: boolean }[] {
  const found = [
    ...text.matchAll(/^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s*from\s*)?'([^']+)'/gms),
  ].map(([, keyword, names = '', name]) => {
    const members = /^\{(.*)\}$/s.exec(names.trim())?.[1].split(',') ?? ['']
    const areTypes = members.map((member) => member.trim()).filter(Boolean)
    const isType =
      keyword !== undefined ||
      (areTypes.length > 0 && areTypes.every((member) => member.startsWith('type ')))
    return { name, isType }
  })
  const dynamic = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)]
  return [...found, ...dynamic.map(([, name]) => ({ name, isType: false }))]
}

/** Returns sets of files that import each other (strongly connected components with more than one file, by the algorithm of Tarjan). */
export function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string) => {
    const number = order.size
    order.set(file, number)
    lowest.set(file, number)
    stack.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) {
        lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!))
      }
    }
    if (lowest.get(file) === number) {
      const members = stack.splice(stack.indexOf(file))
      if (members.length > 1) cycles.push(members.sort())
    }
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return cycles
}

/** Returns the imports between the files of the product, with or without type imports. */
function graphOf(withTypes: boolean): Map<string, string[]> {
  const files = sources('{app,bin,commands,config,database,providers,start}/**/*.ts')
  const known = new Set(files)
  return new Map(
    files.map((file) => {
      const imports = importsOf(readFileSync(join(ROOT, file), 'utf8'))
        .filter(({ isType }) => withTypes || !isType)
        .map(({ name }) => fileOf(file, name))
      return [file, imports.filter((target) => target !== null && known.has(target)) as string[]]
    })
  )
}

test.group('Layout of the sources', () => {
  test('no folder has more than 20 files on one level', ({ assert }) => {
    const counts = new Map<string, number>()
    const roots = '{app,bench,bin,commands,config,database,providers,resources,scripts,start,tests}'
    for (const entry of globSync(`${roots}/**/*.*`, { cwd: ROOT })) {
      const folder = dirname(entry)
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
    const large = [...counts].filter(
      ([folder, count]) => count > MAX_FILES && !FLAT.includes(folder)
    )
    assert.deepEqual(large, [])
  })

  test('cyclesOf() finds a cycle of three files and no other', ({ assert }) => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', ['a']],
      ['d', ['e']],
      ['e', []],
    ])
    assert.deepEqual(cyclesOf(graph), [['a', 'b', 'c']])
  })

  test('importsOf() distinguishes imports of values and of types', ({ assert }) => {
    const text = [
      "import type { A } from '#a/b'",
      "import { type B, type C } from '#a/c'",
      "import {\n  type D,\n  e,\n} from './e.js'",
      "import '#a/f'",
      "export * from '#a/g'",
      "const { h } = await import('#a/h')",
    ].join('\n')
    assert.deepEqual(
      importsOf(text).map(({ name, isType }) => `${name} ${isType}`),
      ['#a/b true', '#a/c true', './e.js false', '#a/f false', '#a/g false', '#a/h false']
    )
  })

  test('no files import values from each other in a cycle', ({ assert }) => {
    assert.deepEqual(cyclesOf(graphOf(false)), [])
  })

  test('no files import types from each other in a cycle', ({ assert }) => {
    assert.deepEqual(cyclesOf(graphOf(true)), [])
  })

  test('no file in app/ imports from start/', ({ assert }) => {
    const found = sources('app/**/*.ts').filter((file) =>
      importsOf(readFileSync(join(ROOT, file), 'utf8')).some(({ name }) =>
        name.startsWith('#start/')
      )
    )
    assert.deepEqual(found, [])
  })

  test('only database/dialects depends on the name of the database', ({ assert }) => {
    const allowed = [
      'database/dialects/dialect_of.ts',
      // Builds the tables as they were when a migration was written.
      'database/schema/zonewright_schema.ts',
      // Each driver prepares statements in a different way.
      'database/statements/prepared.ts',
      // The name is part of the output.
      'app/health/doctor/doctor.ts',
    ]
    const files = ['app/**/*.ts', 'database/*/*.ts', 'database/*.ts', 'commands/**/*.ts']
      .flatMap(sources)
      .filter((path) => !path.startsWith('database/migrations/'))
    const asking = files.filter((path) =>
      /\bdialect\.name\b|'better-sqlite3'/.test(readFileSync(join(ROOT, path), 'utf8'))
    )
    assert.sameMembers(asking, allowed)
  })

  test('migrations only import the schema module of the database', ({ assert }) => {
    for (const file of sources('database/migrations/*.ts')) {
      const names = importsOf(readFileSync(join(ROOT, file), 'utf8')).map(({ name }) => name)
      assert.isEmpty(
        names.filter((name) => !/^(#database\/schema\/|node:)/.test(name)),
        file
      )
    }
  })
})
