/*
 * Measures lists, reads and writes of the API at several sizes: the built product in its own processes over keep-alive HTTP
 * connections, compared with the bare statements on the same driver. Prints the results, the goals and the missed goals
 * (docs/performance.md). Exits with an error if a goal was missed.
 *
 *   npm run bench -- api [--db=sqlite|pg|mysql] [--sizes=1000,10000,100000,300000] [--large=50000]
 *     [--zone=1000000] [--connections=1,8] [--seconds=2] [--cells=zones-] [--no-build] [--json=file]
 *
 * --sizes: numbers of zones with 10 records each; each database also has one zone with --large records. --zone: an additional
 * run at the smallest size with so many records in the large zone; 0 for none. --cells: a regular expression of cell names.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BareHttp, comparedRequests } from './api/bare_http.ts'
import type { Cell, Setting } from './api/cell.ts'
import { brokenPromises } from './api/goals.ts'
import { Loader } from './api/load.ts'
import { build, indexTexts, Product } from './api/product.ts'
import { objectCells } from './api/object_cells.ts'
import { largeZoneCells, readCells } from './api/record_cells.ts'
import { addGrowth, goals, measured } from './api/report.ts'
import { requestCells } from './api/request_cells.ts'
import { runCell, type Bench, type Line } from './api/run_cell.ts'
import type { Scene, SceneSize } from './api/scene.ts'
import { signIn } from './api/sign_in.ts'
import { openBare } from './api/statements.ts'
import { writeCells } from './api/write_cells.ts'
import { accountCells, logCells, searchCells, webCells, zoneCells } from './api/zone_cells.ts'
import { zoneWriteCells } from './api/zone_write_cells.ts'
import type { BareAnswer } from './support/bare.ts'
import { startBenchServer, type BenchServer } from './support/database.ts'
import { numbers, option, word } from './support/options.ts'
import { Worker } from './support/worker.ts'

const RECORDS = 10
const database = word('db', 'sqlite')
const only = new RegExp(word('cells', ''))

/** A database and its cells. */
interface Stage {
  name: string
  size: SceneSize
  /** Measures only cells of the large zone. */
  largeOnly: boolean
}

function stages(): Stage[] {
  const sizes = numbers('sizes', [1_000, 10_000, 100_000, 300_000])
  const large = option('large', 50_000)
  const list: Stage[] = sizes.map((zones) => {
    return { name: String(zones), size: { zones, records: RECORDS, large }, largeOnly: false }
  })
  const zone = option('zone', 1_000_000)
  if (zone > 0) {
    const size = { zones: sizes[0], records: RECORDS, large: zone }
    list.push({ name: `${sizes[0]}, large zone`, size, largeOnly: true })
  }
  return list
}

async function cellsOf({ largeOnly }: Stage, setting: Setting): Promise<Cell[]> {
  const cells = largeOnly
    ? largeZoneCells(setting)
    : [
        ...(await readCells(setting)),
        ...(await zoneCells(setting)),
        ...accountCells(setting),
        ...searchCells(setting),
        ...webCells(setting),
        ...largeZoneCells(setting),
      ]
  const writes = await writeCells(setting)
  const mine = largeOnly ? writes.filter(({ family }) => family === 'record-post-large') : writes
  const others = largeOnly
    ? []
    : [
        ...objectCells(setting),
        ...(await zoneWriteCells(setting)),
        ...(await requestCells(setting)),
      ]
  const logs = largeOnly ? [] : logCells(setting)
  return [...cells, ...mine, ...others, ...logs].filter(({ name }) => only.test(name))
}

/** A filled database with its running servers and cells. */
interface OpenStage {
  name: string
  cells: Cell[]
  bench: Bench
  close: () => Promise<void>
}

async function openStage(
  stage: Stage,
  index: number,
  server: BenchServer,
  home: string
): Promise<OpenStage> {
  const variables = {
    ...server.createDatabase(`zonewright_api_${index}`),
    APP_KEY: randomBytes(16).toString('hex'),
    API_ENABLED: 'true',
    API_BASIC_AUTH_ENABLED: 'true',
    APPROVAL_ENABLED: 'true',
    HEALTH_ENABLED: 'true',
    HEALTH_PING_ENABLED: 'true',
    // All router updates come from one address and are more frequent than real ones.
    DYNDNS_CHANGES_PER_HOST: '1000000',
    DYNDNS_CHANGES_PER_ADDRESS: '0',
    DYNDNS_MAX_TOKENS_PER_USER: '10000',
  }
  const file = fileURLToPath(new URL('api/scene.ts', import.meta.url))
  const seeder = await Worker.start(file, variables)
  const scene = await seeder.ask<Scene>('fill', stage.size)
  const bare = await openBare(variables)
  const { zones, large } = stage.size
  const setting = { scene, zones: zones + 1, bare }
  const cells = await cellsOf(stage, setting)
  const requests = await comparedRequests(cells, setting)
  const answers = await seeder.ask<Record<string, BareAnswer>>('note', requests)
  await seeder.stop()
  indexTexts(variables)
  const product = await Product.start(variables, join(home, `server-${index}.log`))
  scene.cookie = await signIn(product.port, scene.administrator)
  const bareHttp = await BareHttp.start(variables, answers, product.servers)
  const loader = await Loader.start()
  console.log(
    `${zones} zones of ${RECORDS} records, one of ${large}: filled in ${scene.seconds.toFixed(0)} s; ` +
      `${product.processes} server process(es)`
  )
  const connections = numbers('connections', [1, 8])
  const seconds = option('seconds', 2)
  return {
    name: stage.name,
    cells,
    bench: { setting, product, loader, bareHttp, seconds, connections },
    async close() {
      await loader.stop()
      await bareHttp.stop()
      await product.stop()
      await bare.close()
    },
  }
}

/** Measures each cell at all sizes in sequence, so that other load on the machine affects all sizes alike. */
async function measure(open: OpenStage[]): Promise<Line[]> {
  const lines: Line[] = []
  const families = new Set(open.flatMap(({ cells }) => cells.map(familyOf)))
  for (const family of families) {
    for (const { name, cells, bench } of open) {
      const cell = cells.find((one) => familyOf(one) === family)
      const found = cell ? await runCell(cell, name, bench) : []
      found.forEach(print)
      lines.push(...found)
    }
  }
  return lines
}

function familyOf({ family, name }: Cell): string {
  return family ?? name
}

function print({ cell, size, connections, rate, p50, p99, note }: Line): void {
  const what = `${cell.padEnd(44)} ${size.padEnd(20)} ${String(connections).padStart(2)}`
  const times = `${p50.toFixed(2)} / ${p99.toFixed(2)} ms`
  console.log(`${what} ${rate.toFixed(1).padStart(9)}/s ${times.padStart(22)} ${note}`)
}

async function run(): Promise<boolean> {
  if (!process.argv.includes('--no-build')) build()
  const home = mkdtempSync(join(tmpdir(), 'zonewright-api-'))
  const server = await startBenchServer(process.argv)
  const open: OpenStage[] = []
  let lines: Line[]
  const stop = async () => {
    await Promise.allSettled(open.map((stage) => stage.close()))
    await server.stop()
    rmSync(home, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)))
  }
  try {
    for (const [index, stage] of stages().entries()) {
      open.push(await openStage(stage, index, server, home))
    }
    lines = await measure(open)
  } finally {
    await stop()
  }
  addGrowth(lines)
  const broken = brokenPromises(lines, database)
  console.log(`\n${database}, ${cpus().length} processors, Node.js ${process.versions.node}\n`)
  console.log(`${measured(lines)}\n\n${goals(lines)}\n`)
  console.log(broken.length === 0 ? 'All promises are kept.' : `Not kept:\n${broken.join('\n')}`)
  const json = word('json', '')
  if (json) writeFileSync(json, JSON.stringify(lines, null, 1))
  return broken.length === 0
}

if (!(await run())) {
  process.exit(1)
}
