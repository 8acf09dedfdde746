/*
 * What the processes of the service spent their time on, from profiles that Node.js wrote: shares of the time that they
 * worked, by parts of the program. Native functions and Node's own count for who called them.
 *
 *   NODE_OPTIONS="--cpu-prof --cpu-prof-dir=/tmp/profiles" npm run bench -- api --db=pg --connections=8 --cells=...
 *   npm run bench -- profile --dir=/tmp/profiles [--from=3]
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from './api/report.ts'
import { option, word } from './support/options.ts'

interface Frame {
  id: number
  callFrame: { functionName: string; url: string }
  children?: number[]
}
interface Profile {
  nodes: Frame[]
  samples: number[]
  /** Microseconds before each sample. */
  timeDeltas: number[]
}

const SQLITE = 'statements in SQLite, and what it writes to the disk'
/** Parts by where their code lies, and functions by their names; the first that fits. */
const PARTS: [part: string, url: RegExp, name?: RegExp][] = [
  // The driver calls SQLite within the function that called it.
  [SQLITE, /build\/database\/prepared\.js$/, /^#send$/],
  [SQLITE, /knex\/lib\/dialects\/better-sqlite3\//, /^_query$/],
  ['writing to sockets: answers, and statements of a server', /^$/, /^write/],
  ['driver: pg', /node_modules\/(pg|pg-[a-z-]+|postgres-[a-z-]+)\//],
  ['driver: better-sqlite3', /node_modules\/better-sqlite3\//],
  ['driver: mysql2', /node_modules\/mysql2\//],
  ['pool and query builder (tarn, knex, Lucid)', /node_modules\/(tarn|knex|@adonisjs\/lucid)\//],
  ['framework: HTTP, container, hooks', /node_modules\/(@adonisjs|@poppinss|edge[^/]*)\//],
  ['validation', /node_modules\/@vinejs\//],
  ['logger', /node_modules\/(pino|sonic-boom|thread-stream)/],
  ['other packages', /node_modules\//],
  ['own code: statements, transactions, indexes of texts', /build\/database\//],
  ['own code: PowerDNS’ tables, lists', /build\/app\/(backends|lists)\//],
  ['own code: who may do what', /build\/app\/(access|accounts)\//],
  ['own code: plans, journal, audit', /build\/app\/(changes|audit|dns|events)\//],
  ['own code: use cases', /build\/app\/(zones|review|jobs)\//],
  ['own code: doors, answers', /build\//],
]
const COLLECTOR = 'garbage collection'
const NODE = 'Node.js: sockets, HTTP parser, timers, promises'
const SHOWN = 0.01

function partOf({ functionName, url }: Frame['callFrame']): string | null {
  if (functionName === '(garbage collector)') return COLLECTOR
  const fits = ([, where, name]: (typeof PARTS)[number]) =>
    where.test(url) && (!name || name.test(functionName))
  return PARTS.find(fits)?.[0] ?? null
}

/** Adds the microseconds of each part to the sum; the first seconds (`--from`) are its start. */
function add({ nodes, samples, timeDeltas }: Profile, sum: Map<string, number>): void {
  const parts = new Map<number, string | null>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const walk = (node: Frame, above: string) => {
    const name = node.callFrame.functionName
    const part =
      name === '(idle)' || name === '(program)' ? null : (partOf(node.callFrame) ?? above)
    parts.set(node.id, part)
    for (const child of node.children ?? []) walk(byId.get(child)!, part ?? above)
  }
  walk(nodes[0], NODE)
  const from = option('from', 3) * 1e6
  let time = 0
  samples.forEach((id, i) => {
    time += timeDeltas[i]
    const part = parts.get(id)
    if (part && time > from) sum.set(part, (sum.get(part) ?? 0) + timeDeltas[i])
  })
}

const dir = word('dir', '.')
const sum = new Map<string, number>()
for (const file of readdirSync(dir).filter((name) => name.endsWith('.cpuprofile'))) {
  const profile = JSON.parse(readFileSync(join(dir, file), 'utf8')) as Profile
  // The load program, the bare server and the benchmark itself wrote profiles as well.
  const isServer = profile.nodes.some(({ callFrame }) =>
    callFrame.url.endsWith('build/bin/server.js')
  )
  if (isServer) add(profile, sum)
}
const all = [...sum.values()].reduce((a, b) => a + b, 0)
const rows = [...sum]
  .filter(([, time]) => time / all >= SHOWN)
  .toSorted(([, a], [, b]) => b - a)
  .map(([part, time]) => [part, `${((100 * time) / all).toFixed(0)} %`])
console.log(table(['Part', 'Share'], rows))
