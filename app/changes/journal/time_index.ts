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
const MAX_CLOCK_DIFFERENCE_MS = 60_000
/** Entries that one step of a search reads. */
const PROBES_PER_STEP = 16
/** A journal with more clock jumps is not searched by time. */
const MAX_CLOCK_JUMPS = 20

/** Entries of journals with an earlier time than their predecessor. */
const CLOCK_JUMPS_TABLE = 'zw_clock_jumps'

/**
 * The time of an entry after one of the time `last`, and whether the clock was set back. Small
 * differences between the clocks of nodes are no jump: the entry then gets the time of its
 * predecessor.
 */
export function timeAfter(
  last: string | null,
  now: string = timestampNow()
): { time: string; isClockSetBack: boolean } {
  if (last === null || now >= last) {
    return { time: now, isClockSetBack: false }
  }
  const isClockSetBack = Date.parse(last) - Date.parse(now) > MAX_CLOCK_DIFFERENCE_MS
  return { time: isClockSetBack ? now : last, isClockSetBack }
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
  const { time, isClockSetBack } = timeAfter(newest?.time ?? null)
  if (isClockSetBack) {
    await client.table(CLOCK_JUMPS_TABLE).insert({ zone_uid: uid, entry: last + 1 })
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
    const fullSpan = await this.#readFullSpan()
    if (!fullSpan || (since === undefined && until === undefined)) {
      return fullSpan ? [fullSpan] : []
    }
    const spansWithoutJump = await this.#spansWithoutJump(fullSpan)
    if (spansWithoutJump === null) {
      return null
    }
    const spans: Span[] = []
    for (const span of spansWithoutJump) {
      const first =
        since === undefined ? span.after + 1 : await this.#findFirst(span, (t) => t >= since)
      const before =
        until === undefined ? span.before : await this.#findFirst(span, (t) => t > until)
      if (first < before) spans.push({ after: first - 1, before })
    }
    return spans
  }

  /** The range of all stored entries; null without any. */
  async #readFullSpan(): Promise<Span | null> {
    const end = async (direction: 'asc' | 'desc') => {
      const row: unknown = await this.#rows().orderBy('entry', direction).select('entry').first()
      return row as { entry: number } | null
    }
    const [oldest, newest] = [await end('asc'), await end('desc')]
    return oldest && newest && { after: oldest.entry - 1, before: newest.entry + 1 }
  }

  /** Ranges without a clock jump, the newest first; null: too many. */
  async #spansWithoutJump({ after, before }: Span): Promise<Span[] | null> {
    const clockJumps: { entry: number }[] = await this.client
      .from(CLOCK_JUMPS_TABLE)
      .where('zone_uid', this.uid)
      .where('entry', '>', after + 1)
      .where('entry', '<', before)
      .orderBy('entry', 'desc')
      .limit(MAX_CLOCK_JUMPS)
      .select('entry')
    if (clockJumps.length === MAX_CLOCK_JUMPS) {
      return null
    }
    const starts = [...clockJumps.map(({ entry }) => entry), after + 1]
    return starts.map((start, i) => ({ after: start - 1, before: starts[i - 1] ?? before }))
  }

  /**
   * Number of the first entry of a run whose time satisfies `isReached`, as all later times do; the end
   * of the run if none does.
   */
  async #findFirst({ after, before }: Span, isReached: (time: string) => boolean): Promise<number> {
    let [low, high] = [after + 1, before]
    while (low < high) {
      const step = Math.ceil((high - low) / PROBES_PER_STEP)
      const probes: number[] = []
      for (let entry = low; entry < high; entry += step) probes.push(entry)
      const times = (await this.#rows()
        .whereIn('entry', probes)
        .orderBy('entry')
        .select('entry', 'time')) as { entry: number; time: string }[]
      const firstReached = times.find(({ time }) => isReached(time))?.entry ?? high
      low = (probes.filter((entry) => entry < firstReached).at(-1) ?? low - 1) + 1
      high = firstReached
    }
    return high
  }

  #rows(): DatabaseQueryBuilderContract {
    return this.client.from('zw_journal').where('zone_uid', this.uid)
  }
}
