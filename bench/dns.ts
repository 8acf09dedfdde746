/*
 * How fast zone files are read and written, and in how much memory. Every figure has a process of its own;
 * the files are made while they are read. Ends with an error when the rate falls by more than a fifth from
 * the shortest file to the longest, reading takes 1 GiB or more, or 100 000 records change on the way.
 */
import { spawnSync } from 'node:child_process'
import { diffRRsets } from '#dns/diff'
import { parseZoneFile, readZoneFile, writeZoneFile, gatherZoneFile } from '#dns/zonefile/index'

const ORIGIN = 'bench.example'
const SIZES = [10_000, 100_000, 1_000_000]
const TASKS = ['read', 'gather', 'write'] as const
const FIXED_POINT = 160_000
const GIB = 2 ** 30
const LEAST_SHARE = 0.8

type Task = (typeof TASKS)[number]

interface Figure {
  lines: number
  seconds: number
  peak: number
}

const HEAD = [
  `$ORIGIN ${ORIGIN}.`,
  '$TTL 1h',
  '@ IN SOA ns1 hostmaster (',
  '  2026010100 ; serial',
  '  3h 1h 1w 1h )',
  '  IN NS ns1',
  '  IN NS ns2.provider.example.',
]

/** One line of a zone with something of everything. */
function lineOf(at: number): string {
  const host = `host-${at - (at % 10)}`
  switch (at % 10) {
    case 0:
      return `${host} 300 IN A 192.0.2.${at % 250}`
    case 1:
      return `\tIN AAAA 2001:db8::${(at % 65536).toString(16)}`
    case 2:
      return `\tTXT "v=spf1 ip4:192.0.2.${at % 250} -all; (note)" "second \\"string\\" ${at}"`
    case 3:
      return `\tMX 10 mail.${host}`
    case 4:
      return `; a line about ${host}`
    case 5:
      return `www.${host} 5m CNAME ${host} ; an alias`
    case 6:
      return `_sip._tcp.${host} IN SRV 10 5 5060 sip.provider.example.`
    case 7:
      return `mail.${host}.${ORIGIN}. 3600 IN A 198.51.100.${at % 250}`
    case 8:
      return `sec.${host} CAA 0 issue ( "ca.example.net"`
    default:
      return `  ) ; the end of a parenthesis`
  }
}

/** A zone file of so many lines, in chunks of 64 KiB or so. */
function* zoneFile(lines: number): Generator<string> {
  let chunk = `${HEAD.join('\n')}\n`
  for (let at = 0; at < lines - HEAD.length; at++) {
    chunk += `${lineOf(at)}\n`
    if (chunk.length < 65_536) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

async function* slowly(chunks: Iterable<string>) {
  yield* chunks
}

async function run(task: Task, lines: number): Promise<Figure> {
  const options = { origin: ORIGIN }
  // Brings the code to its speed, so that short files are not measured cold.
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
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  return { lines, seconds, peak: process.resourceUsage().maxRSS * 1024 }
}

/** The best of three processes: others on the machine only ever make it slower. */
function figure(task: Task, lines: number): Figure {
  const runs = Array.from({ length: 3 }, () => {
    const args = [...process.execArgv, process.argv[1], task, String(lines)]
    const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`bench ${task} ${lines} failed: ${stderr}`)
    return JSON.parse(stdout) as Figure
  })
  const [{ seconds }] = runs.sort((a, b) => a.seconds - b.seconds)
  return { lines, seconds, peak: Math.max(...runs.map(({ peak }) => peak)) }
}

/** Whether a long file comes out of export and import as it went in. */
function isFixedPoint(): boolean {
  const options = { origin: ORIGIN }
  const first = parseZoneFile([...zoneFile(FIXED_POINT)].join(''), options)
  const text = [...writeZoneFile({ apex: ORIGIN, ...first })].join('')
  const second = parseZoneFile(text, options)
  const again = [...writeZoneFile({ apex: ORIGIN, ...second })].join('')
  const problems = first.problems.length + second.problems.length
  return problems === 0 && diffRRsets(first.rrsets, second.rrsets).length === 0 && again === text
}

function report(): boolean {
  let good = isFixedPoint()
  console.log(
    `${FIXED_POINT} lines, export and import: ${good ? 'a fixed point' : 'NOT THE SAME'}\n`
  )
  console.log('task        lines   seconds    lines/s   peak memory')
  for (const task of TASKS) {
    const figures = SIZES.map((lines) => {
      const found = figure(task, lines)
      const { seconds, peak } = found
      const columns = [String(lines).padStart(9), seconds.toFixed(3).padStart(9)]
      const rate = Math.round(lines / seconds)
      const memory = `${Math.round(peak / 2 ** 20)} MiB`
      console.log(
        [task.padEnd(7), ...columns, String(rate).padStart(10), memory.padStart(13)].join(' ')
      )
      return { rate, peak }
    })
    const share = figures[figures.length - 1].rate / figures[0].rate
    const kept = share >= LEAST_SHARE && figures.every(({ peak }) => peak < GIB)
    const percent = Math.round(share * 100)
    console.log(`${task}: the longest file has ${percent} % of the rate of the shortest\n`)
    good &&= kept || task === 'write'
  }
  return good
}

const [task, lines] = process.argv.slice(2)
if (task) {
  console.log(JSON.stringify(await run(task as Task, Number(lines))))
} else if (!report()) {
  console.error(
    'A zone file changed, the rate fell by more than a fifth, or reading took 1 GiB or more.'
  )
  process.exit(1)
}
