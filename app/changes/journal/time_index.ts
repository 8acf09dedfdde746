import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { momentNow } from '#changes/model/clock'

/** A stretch of a journal: the entries between two numbers, neither of which belongs to it. */
export interface Span {
  after: number
  before: number
}

/** Clocks of nodes differ by less: an entry is not told as made before the one it follows. */
const SAME_TIME_MS = 60_000
/** Entries that one step of a search looks at. */
const PROBES = 16
/** A journal whose clock was set back more often is not searched by time. */
const MOST_RUNS = 20

/** Entries of journals that begin an earlier time than the one before them. */
const STEPS = 'zw_clock_jumps'

/**
 * The time of an entry that follows one of the time `last`, and whether the clock was set back in between. What little the
 * clocks of several nodes differ by is no step back: the time is that of the last entry then.
 */
export function timeAfter(
  last: string | null,
  now: string = momentNow()
): { time: string; isStepBack: boolean } {
  if (last === null || now >= last) {
    return { time: now, isStepBack: false }
  }
  const isStepBack = Date.parse(last) - Date.parse(now) > SAME_TIME_MS
  return { time: isStepBack ? now : last, isStepBack }
}

/** The time of the next entry of a journal, which ends with the entry `last`; takes note where the clock was set back. */
export async function nextTime(
  client: QueryClientContract,
  uid: string,
  last: number
): Promise<string> {
  if (last === 0) return momentNow()
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
 * Finds entries of one journal by their times. Between two steps back of the clock times rise with the numbers of entries,
 * so that a few looks tell where a time begins, however many entries there are.
 */
export class JournalTimes {
  constructor(
    private readonly uid: string,
    private readonly client: QueryClientContract
  ) {}

  /**
   * Where the entries of a time are, both ends of it included, the newest first: all entries of such a span are. Without
   * a time, where all are. null where the clock was set back too often for that.
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

  /** All entries that are kept; null where there are none. */
  async #extent(): Promise<Span | null> {
    const end = async (direction: 'asc' | 'desc') => {
      const row: unknown = await this.#rows().orderBy('entry', direction).select('entry').first()
      return row as { entry: number } | null
    }
    const [oldest, newest] = [await end('asc'), await end('desc')]
    return oldest && newest && { after: oldest.entry - 1, before: newest.entry + 1 }
  }

  /** The stretches in which the clock was not set back, the newest first; null where there are too many. */
  async #runs({ after, before }: Span): Promise<Span[] | null> {
    const steps: { entry: number }[] = await this.client
      .from(STEPS)
      .where('zone_uid', this.uid)
      .where('entry', '>', after + 1)
      .where('entry', '<', before)
      .orderBy('entry', 'desc')
      .limit(MOST_RUNS)
      .select('entry')
    if (steps.length === MOST_RUNS) {
      return null
    }
    const starts = [...steps.map(({ entry }) => entry), after + 1]
    return starts.map((start, i) => ({ after: start - 1, before: starts[i - 1] ?? before }))
  }

  /**
   * Number of the first entry of a run of which something holds, as it does then of all behind it; the number behind the
   * run where it holds of none.
   */
  async #first({ after, before }: Span, holds: (time: string) => boolean): Promise<number> {
    let [low, high] = [after + 1, before]
    while (low < high) {
      const step = Math.ceil((high - low) / PROBES)
      const probes: number[] = []
      for (let entry = low; entry < high; entry += step) probes.push(entry)
      const looks = (await this.#rows()
        .whereIn('entry', probes)
        .orderBy('entry')
        .select('entry', 'time')) as { entry: number; time: string }[]
      const hit = looks.find(({ time }) => holds(time))?.entry ?? high
      low = (probes.filter((entry) => entry < hit).at(-1) ?? low - 1) + 1
      high = hit
    }
    return high
  }

  #rows(): DatabaseQueryBuilderContract {
    return this.client.from('zw_journal').where('zone_uid', this.uid)
  }
}
