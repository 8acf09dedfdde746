import { FileFault, LimitExceeded, problemAt } from '#dns/zonefile/reading/faults'
import { ServerFault, OutsideZone } from '#dns/zonefile/reading/record_reader'
import type { ZoneFileOptions, ZoneFileProblem } from '#dns/zonefile/types'

/** Maximum number of records outside the zone that are reported one by one. */
const MAX_OUTSIDE_PROBLEMS = 5

/** Reports records outside the zone one by one, or all at once if there are many. */
export class OutsideRecords {
  readonly #first: ZoneFileProblem[] = []
  readonly #lines: number[] = []

  constructor(private readonly apex: string) {}

  add(problem: ZoneFileProblem): void {
    this.#lines.push(problem.line)
    if (this.#first.length < MAX_OUTSIDE_PROBLEMS) this.#first.push(problem)
  }

  problems(): ZoneFileProblem[] {
    const [first] = this.#first
    if (this.#lines.length <= MAX_OUTSIDE_PROBLEMS) return this.#first
    const lines = this.#lines.slice(0, MAX_OUTSIDE_PROBLEMS).join(', ')
    const all = `${this.#lines.length} records are outside the zone ${this.apex}, on lines ${lines} and others`
    return [{ ...first, message: `${first.message}; ${all}` }]
  }
}

/** Converts faults to problems. Problems beyond the limit are only counted, errors and warnings separately. */
export class ProblemList {
  #counts = { error: 0, warning: 0 }
  #pendingProblems: ZoneFileProblem[] = []
  readonly #outsideRecords: OutsideRecords

  constructor(
    private readonly cap: number,
    private readonly outside: ZoneFileOptions['outside'],
    apex: string
  ) {
    this.#outsideRecords = new OutsideRecords(apex)
  }

  /** Adds a fault as a problem; throws other errors. */
  addFault(error: unknown): void {
    if (!(error instanceof FileFault)) throw error
    const skipped =
      error instanceof ServerFault || (error instanceof OutsideZone && this.outside === 'skip')
    const message = skipped ? `${error.message}; the record is skipped` : error.message
    const problem = problemAt(error.position, error.field, message, skipped ? 'warning' : 'error')
    if (error instanceof LimitExceeded) this.#pendingProblems.push(problem)
    else if (error instanceof OutsideZone && !skipped) this.#outsideRecords.add(problem)
    else this.add(problem)
  }

  add(problem: ZoneFileProblem): void {
    // The caller drops these problems if the zone already has the name or record, so they do not count here.
    if (problem.owner !== undefined || problem.stored !== undefined)
      this.#pendingProblems.push(problem)
    else if (++this.#counts[problem.severity] <= this.cap) this.#pendingProblems.push(problem)
  }

  get waiting(): boolean {
    return this.#pendingProblems.length > 0
  }

  /** Returns the problems since the last call. */
  take(): ZoneFileProblem[] {
    return this.#pendingProblems.splice(0)
  }

  /** Yields the records outside the zone, and the number of unreported problems if there are any. */
  *rest(line: number): Generator<ZoneFileProblem> {
    for (const problem of this.#outsideRecords.problems()) this.add(problem)
    yield* this.take()
    for (const severity of ['error', 'warning'] as const) {
      const more = this.#counts[severity] - this.cap
      if (more <= 0) continue
      const what = `${more} more ${severity}${more > 1 ? 's' : ''}`
      const message = `${what} in the file; the limit 'problems' is ${this.cap}`
      yield problemAt({ line }, 'limit', message, severity)
    }
  }
}
