/*
 * Measures speed and memory of reading and writing zone files. Each figure has its own process; the files are generated while
 * they are read.
 *
 * Exits with an error if the CPU rate falls by more than a fifth from the shortest to the longest file. Also if a task uses 1
 * GiB or more, or if import, export and import of 100 000 records lose or change one.
 */
import { spawnSync } from 'node:child_process'
import { diffRRsets } from '#dns/diff'
import {
  gatherZoneFile,
  parseZoneFile,
  readZoneFile,
  writeZoneFile,
  type ZoneFileRecord,
} from '#dns/zonefile/index'
import { expectedRecords, linesFor, ORIGIN, zoneFile } from './support/zone_file.js'

const SIZES = [10_000, 100_000, 1_000_000]
const TASKS = ['read', 'gather', 'write'] as const
const RECORDS = 100_000
const GIB = 2 ** 30
const LEAST_SHARE = 0.8

type Task = (typeof TASKS)[number]

interface Figure {
  lines: number
  /** Elapsed time. */
  seconds: number
  /** CPU time including garbage collection. It depends less on other load than elapsed time. */
  cpuSeconds: number
  /** Peak memory in bytes. */
  peak: number
}

async function* slowly(chunks: Iterable<string>) {
  yield* chunks
}

async function run(task: Task, lines: number): Promise<Figure> {
  const options = { origin: ORIGIN }
  // Warms up the JIT compiler, so that short files are not measured cold.
  parseZoneFile([...zoneFile(20_000)].join(''), options)
  if (task === 'write') {
    const { rrsets, comments } = await gatherZoneFile(zoneFile(lines), options)
    return measured(lines, () => {
      let written = 0
      for (const text of writeZoneFile({ apex: ORIGIN, rrsets, comments })) written += text.length
      return written
    })
  }
  return measured(lines, async () => {
    const source = slowly(zoneFile(lines))
    if (task === 'gather') {
      const { problems } = await gatherZoneFile(source, options)
      return problems.length
    }
    let found = 0
    for await (const item of readZoneFile(source, options)) {
      if (item.kind === 'problem') throw new Error(item.message)
      found++
    }
    return found
  })
}

async function measured(lines: number, work: () => number | Promise<number>): Promise<Figure> {
  globalThis.gc?.()
  const [start, cpuStart] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpuStart)
  const seconds = (performance.now() - start) / 1000
  const peak = process.resourceUsage().maxRSS * 1024
  return { lines, seconds, cpuSeconds: (user + system) / 1e6, peak }
}

/** The best of three processes: other load can only make a process slower. */
function figure(task: Task, lines: number): Figure {
  const runs = Array.from({ length: 3 }, () => {
    const args = [...process.execArgv, process.argv[1], task, String(lines)]
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`bench ${task} ${lines} failed: ${stderr}`)
    return JSON.parse(stdout) as Figure
  })
  const least = (of: (found: Figure) => number) => Math.min(...runs.map(of))
  return {
    lines,
    seconds: least(({ seconds }) => seconds),
    cpuSeconds: least(({ cpuSeconds }) => cpuSeconds),
    peak: Math.max(...runs.map(({ peak }) => peak)),
  }
}

function describe({ name, type, ttl, record }: ZoneFileRecord): string {
  return `${name} ${type} ${ttl} ${record.priority} ${record.content}`
}

/** Records that import, export and a second import lose or change. */
function losses(lines: number): string[] {
  const options = { origin: ORIGIN }
  const first = parseZoneFile([...zoneFile(lines)].join(''), options)
  const expected = [...expectedRecords(lines)]
  const read = first.records.map(describe)
  const other = expected.findIndex((record, at) => read[at] !== record)
  const inSets = first.rrsets.reduce((sum, { records }) => sum + records.length, 0)

  const text = [...writeZoneFile({ apex: ORIGIN, ...first })].join('')
  const second = parseZoneFile(text, options)
  const again = [...writeZoneFile({ apex: ORIGIN, ...second })].join('')
  const found = [
    ...[...first.problems, ...second.problems].map(({ message }) => message),
    read.length !== expected.length && `${read.length} records were read of ${expected.length}`,
    inSets !== expected.length && `${inSets} records are in RRsets of ${expected.length}`,
    other >= 0 && `record ${other} is ${read[other]}, not ${expected[other]}`,
    second.records.length !== expected.length && `${second.records.length} records came back`,
    diffRRsets(first.rrsets, second.rrsets).length > 0 && 'an RRset came back changed',
    JSON.stringify(first.comments) !== JSON.stringify(second.comments) && 'comments changed',
    again !== text && 'the second export differs from the first',
  ]
  return found.filter((problem) => problem !== false)
}

function cpuRate({ lines, cpuSeconds }: Figure): number {
  return Math.round(lines / cpuSeconds)
}

function row(task: Task, found: Figure): string {
  const { lines, seconds, cpuSeconds, peak } = found
  const columns = [
    String(lines).padStart(9),
    seconds.toFixed(3).padStart(9),
    String(Math.round(lines / seconds)).padStart(10),
    cpuSeconds.toFixed(3).padStart(13),
    String(cpuRate(found)).padStart(13),
    `${Math.round(peak / 2 ** 20)} MiB`.padStart(13),
  ]
  return [task.padEnd(7), ...columns].join(' ')
}

function report(): boolean {
  const length = linesFor(RECORDS)
  const problems = losses(length)
  const records = [...expectedRecords(length)].length
  const verdict = problems.length === 0 ? 'nothing lost, and a fixed point' : problems.join('\n')
  console.log(
    `${records} records in ${length} lines, imported, exported and imported: ${verdict}\n`
  )
  let good = problems.length === 0
  console.log('task        lines   seconds    lines/s   CPU seconds   lines/CPU s   peak memory')
  for (const task of TASKS) {
    const figures = SIZES.map((lines) => figure(task, lines))
    for (const it of figures) console.log(row(task, it))
    const [shortest, longest] = [figures[0], figures[figures.length - 1]].map(cpuRate)
    const share = longest / shortest
    const percent = Math.round(share * 100)
    console.log(
      `${task}: per CPU second, the longest file has ${percent} % of the shortest's rate\n`
    )
    const isMet = share >= LEAST_SHARE && figures.every(({ peak }) => peak < GIB)
    good &&= isMet
  }
  return good
}

const [task, lines] = process.argv.slice(2)
if (task) {
  console.log(JSON.stringify(await run(task as Task, Number(lines))))
} else if (!report()) {
  console.error(
    'Records were lost, the rate fell by more than a fifth, or a task took 1 GiB or more.'
  )
  process.exit(1)
}
