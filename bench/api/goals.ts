import type { Line } from './run_cell.ts'

/** The goal of a kind of request with eight connections, at every size. */
interface Goal {
  request: string
  /** Results of the compared product with 1 000 and 100 000 zones. */
  peer: string
  cells: RegExp
  /** Minimum requests per second. */
  least?: number
  /** Maximum seconds until the last byte, at one size. */
  most?: { seconds: number; size: string }
}

const GOALS: Goal[] = [
  {
    request: 'zone, record, RRset read with a key',
    peer: '250/s',
    cells: /^(zone-get|record-get|rrset-get|records-10|rrsets-list-10)$/,
    least: 2_500,
  },
  {
    request: 'page of 50 zones, any page, sort, q',
    peer: '67 / 2.6/s',
    cells: /^zones-(page50|q)/,
    least: 800,
  },
  {
    request: 'page of 100 records of a 50 k or 1 M zone',
    peer: '7/s',
    cells: /^records-\d+[km]-page100/,
    least: 800,
  },
  {
    request: 'record create, update',
    peer: '99 / 16/s',
    cells: /^(record-post|record-put|rrset-put)/,
    least: 400,
  },
  { request: 'bulk of 1 000 creates', peer: '0.09 / 0.008/s', cells: /^bulk-1000$/, least: 5 },
  { request: 'zone create', peer: '185/s', cells: /^zone-post$/, least: 500 },
  {
    request: 'dynamic update with change',
    peer: '180/s',
    cells: /^ddns-change/,
    least: 600,
  },
  { request: 'dynamic update without change', peer: '220/s', cells: /^ddns-same$/, least: 2_000 },
  {
    request: 'dyndns2 and Basic with a password, repeated by one client',
    peer: '9/s',
    cells: /^(basic-auth-zone-get|ddns-same-password)$/,
    least: 1_000,
  },
  { request: 'web zone list, zone editor', peer: '5 to 7/s', cells: /^web-/, least: 250 },
  {
    request: 'whole list of 100 k zones',
    peer: '0.7 s each',
    cells: /^zones-all$/,
    most: { seconds: 0.5, size: '100000' },
  },
]

/** A row of the table of goals. The worst cell decides. */
export interface Reached {
  request: string
  peer: string
  goal: string
  here: string
  isMet: boolean | null
}

/** Compares results with the goals; `isMet` is null if nothing was measured. */
export function goalsReached(lines: Line[]): Reached[] {
  return GOALS.map((goal) => {
    const { request, peer, least, most } = goal
    const words = least ? `>= ${least}/s` : most ? `<= ${most.seconds} s` : '-'
    const none = { request, peer, goal: words, here: 'not measured', isMet: null }
    const mine = lines.filter((line) => goal.cells.test(line.cell) && line.requests > 0)
    if (most) {
      const [line] = mine.filter(({ size }) => size === most.size)
      if (!line) return none
      const seconds = line.p50 / 1000
      return { ...none, here: `${seconds.toFixed(2)} s`, isMet: seconds <= most.seconds }
    }
    const busy = Math.max(...mine.map(({ connections }) => connections))
    const [worst] = mine
      .filter(({ connections }) => connections === busy)
      .sort((one, other) => one.rate - other.rate)
    if (!worst || !least) return none
    const here = `${figure(worst.rate)}/s (${worst.cell}, ${worst.size})`
    return { ...none, here, isMet: worst.rate >= least }
  })
}

const MAX_MEMORY = 64
const MAX_GROWTH = 2
/** Minimum bytes of a complete list that is compared with the bare driver. */
const LONG_LIST = 1_000_000
/** Differences below this time in ms are noise: growth of a shorter p99 is not judged. */
const NOISE_MS = 3

/** Missed goals of lists and reads, one text each. */
export function brokenPromises(lines: Line[], database: string): string[] {
  const broken: string[] = []
  for (const line of lines.filter(({ requests }) => requests > 0)) {
    const { cell, p99, growth, bare, grown, bareHttp } = line
    const demand = (holds: boolean, what: string) => {
      if (!holds) broken.push(`${cell}, ${line.size}, ${line.connections} connections: ${what}`)
    }
    const quick = (most: number) => {
      demand(p99 < most, `p99 ${figure(p99)} ms, at most ${most}`)
      const first = line.fresh?.worst ?? 0
      demand(first < most, `${figure(first)} ms the first time, at most ${most}`)
    }
    if (/^zones-(page50|q|name|tree)/.test(cell)) {
      quick(50)
      const isSame = !growth || growth.p99 <= MAX_GROWTH || p99 < NOISE_MS
      if (line.connections === 1) demand(isSame, `p99 grew ${figure(growth?.p99 ?? 0)} times`)
    }
    if (/^(records|rrsets)-\d+[km]-page100/.test(cell)) quick(100)
    if (/^(records|rrsets)-\d+[km]-filter/.test(cell)) quick(200)
    if (/^zones-all$/.test(cell) && line.bytes > LONG_LIST) {
      demand((bare ?? 0) <= 3, `${figure(bare ?? 0)} times as long as the bare driver, at most 3`)
      demand(grown < MAX_MEMORY, `memory grew by ${figure(grown)} MiB, at most ${MAX_MEMORY}`)
    }
    if (bareHttp !== null) {
      const least = database === 'sqlite' ? 0.25 : 0.5
      demand(bareHttp >= least, `${figure(bareHttp)} of the bare HTTP server, at least ${least}`)
    }
    if (line.note) broken.push(`${cell}, ${line.size}: ${line.note}`)
  }
  return broken
}

/** Formats a number with about three digits. */
export function figure(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
