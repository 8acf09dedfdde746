import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { timestampNow } from '#changes/model/clock'

/** A range of a journal: the entries between two numbers, both excluded. */
export interface Span {
  after: number
  before: number
}

/**
 * Maximal difference of clocks of nodes: no entry is stored with a time before its predecessor's.
 */
const SAME_TIME_MS = 60_000
/** Entries that one step of a search reads. */
const PROBES = 16
/** A journal with more clock jumps is not searched by time. */
const MAX_RUNS = 20

/** Entries of journals with an earlier time than their predecessor. */
const STEPS = 'zw_clock_jumps'

/**
 * The time of an entry after one of the time `last`, and whether the clock was set back. Small
 * differences between the clocks of nodes are no jump: the entry then gets the time of its
 * predecessor.
 */
export function timeAfter(
  last: string | null,
  now: string = timestampNow()
): { time: string; isStepBack: boolean } {
  if (last === null || now >= last) {
    return { time: now, isStepBack: false }
  }
  const isStepBack = Date.parse(last) - Date.parse(now) > SAME_TIME_MS
  return { time: isStepBack ? now : last, isStepBack }
}

/** The time of the entry after `last` in a journal. Stores a clock jump. */
export async function nextTime(
  client: QueryClientContract,
  uid: string,
  last: number
): Promise<string> {
  if (last === 0) return timestampNow()
  const newest: { time: string } | null = await client
    .from('zw_journal')
    .where({ zone_uid: uid, entry: last })
    .select('time')
    .first()
  const { time, isStepBack } = timeAfter(newest?.time ?? null)
  if (isStepBack) {
    await client.table(STEPS).insert({ zone_uid: uid, entry: last + 1 })
  }
  return time
}

/**
 * Finds entries of one journal by time. Between clock jumps, times rise with the numbers of
 * entries, so that a search by probes needs few queries.
 */
export class JournalTimes {
  constructor(
    private readonly uid: string,
    private readonly client: QueryClientContract
  ) {}

  /**
   * Number ranges of the entries of a time span (both ends included), the newest first. Without a
   * time, the range of all entries. null: too many clock jumps.
   */
  async spans({ since, until }: { since?: string; until?: string }): Promise<Span[] | null> {
    const whole = await this.#extent()
    if (!whole || (since === undefined && until === undefined)) {
      return whole ? [whole] : []
    }
    const runs = await this.#runs(whole)
    if (runs === null) {
      return null
    }
    const spans: Span[] = []
    for (const run of runs) {
      const first = since === undefined ? run.after + 1 : await this.#first(run, (t) => t >= since)
      const before = until === undefined ? run.before : await this.#first(run, (t) => t > until)
      if (first < before) spans.push({ after: first - 1, before })
    }
    return spans
  }

  /** The range of all stored entries; null without any. */
  async #extent(): Promise<Span | null> {
    const end = async (direction: 'asc' | 'desc') => {
      const row: unknown = await this.#rows().orderBy('entry', direction).select('entry').first()
      return row as { entry: number } | null
    }
    const [oldest, newest] = [await end('asc'), await end('desc')]
    return oldest && newest && { after: oldest.entry - 1, before: newest.entry + 1 }
  }

  /** Ranges without a clock jump, the newest first; null: too many. */
  async #runs({ after, before }: Span): Promise<Span[] | null> {
    const steps: { entry: number }[] = await this.client
      .from(STEPS)
      .where('zone_uid', this.uid)
      .where('entry', '>', after + 1)
      .where('entry', '<', before)
      .orderBy('entry', 'desc')
      .limit(MAX_RUNS)
      .select('entry')
    if (steps.length === MAX_RUNS) {
      return null
    }
    const starts = [...steps.map(({ entry }) => entry), after + 1]
    return starts.map((start, i) => ({ after: start - 1, before: starts[i - 1] ?? before }))
  }

  /**
   * Number of the first entry of a run whose time satisfies `holds`, as all later times do; the end
   * of the run if none does.
   */
  async #first({ after, before }: Span, holds: (time: string) => boolean): Promise<number> {
    let [low, high] = [after + 1, before]
    while (low < high) {
      const step = Math.ceil((high - low) / PROBES)
      const probes: number[] = []
      for (let entry = low; entry < high; entry += step) probes.push(entry)
      const times = (await this.#rows()
        .whereIn('entry', probes)
        .orderBy('entry')
        .select('entry', 'time')) as { entry: number; time: string }[]
      const hit = times.find(({ time }) => holds(time))?.entry ?? high
      low = (probes.filter((entry) => entry < hit).at(-1) ?? low - 1) + 1
      high = hit
    }
    return high
  }

  #rows(): DatabaseQueryBuilderContract {
    return this.client.from('zw_journal').where('zone_uid', this.uid)
  }
}
