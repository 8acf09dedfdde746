import { ActionRefused } from '#changes/model/action_error'
import { checkWritableType } from '#changes/planning/target_rrsets'
import { RuleViolated } from '#changes/planning/rules'
import { ifValid } from '#dns/errors'
import { DEFAULT_LIMITS, type ZoneFileProblem, type ZoneFileRecord } from '#dns/zonefile/index'
import type { RRsetKey } from '#dns/types'
import { Refusal } from '#exceptions/refusal'

/** An error of a zone file in answers; line and column start at 1. */
export type FileProblem = Omit<ZoneFileProblem, 'kind'>

/** A refused zone file; `data.problems` has all errors, by line. */
export class ZoneFileRefused extends Refusal {
  /** @param problems contains at least one error */
  constructor(problems: FileProblem[], status = 400) {
    const errors = problems.filter(({ severity }) => severity === 'error')
    // Beyond its limit, the parser only counts errors.
    const isCapped = errors.length > DEFAULT_LIMITS.problems
    const count = isCapped ? `more than ${DEFAULT_LIMITS.problems}` : String(errors.length)
    const message =
      errors.length === 1
        ? `The zone file has an error. ${errors[0].message}`
        : `The zone file has ${count} errors; the first is: ${errors[0].message}`
    super(status, message, { problems: problems.map(problemItem) })
  }
}

/** Reports an error at the lines of these records, up to the parser's limit. */
function problemsAt(records: ZoneFileRecord[], field: string, message: string): FileProblem[] {
  return records
    .slice(0, DEFAULT_LIMITS.problems)
    .map(({ line }) => problemOn(line, field, message))
}

export function problemOn(line: number, field: string, message: string): FileProblem {
  return { severity: 'error', line, field, message: `Line ${line}: ${message}` }
}

/**
 * Converts refusals of a plan to errors with line numbers. Returns other errors unchanged.
 *
 * @param sets RRsets of the file, in the order of the actions
 * @param records records of the file
 */
export function errorByLine(error: unknown, sets: RRsetKey[], records: ZoneFileRecord[]): unknown {
  const linesOf = ({ name, type }: RRsetKey) =>
    records.filter((record) => record.name === name && record.type === type)
  const reason = error instanceof ActionRefused ? error.reason : error
  if (reason instanceof RuleViolated) {
    const problems = reason.all.slice(0, DEFAULT_LIMITS.problems).flatMap((violation) => {
      const [first] = linesOf(violation)
      return first ? problemOn(first.line, violation.rule, violation.message) : []
    })
    problems.sort((a, b) => a.line - b.line)
    return problems.length > 0 ? new ZoneFileRefused(problems, reason.status) : reason
  }
  if (error instanceof ActionRefused && error.action < sets.length && error.status === 400) {
    const problems = error.all
      .filter(({ action }) => action < sets.length)
      .flatMap(({ action, message }) => {
        const set = sets[action]
        // An unsupported type is an error on every line of it.
        const lines = isServed(set.type)
          ? linesOf(set)
          : records.filter((record) => record.type === set.type)
        return problemsAt(lines, fieldOf(message), message)
      })
    const byText = new Map(problems.map((problem) => [problem.message, problem]))
    const sorted = [...byText.values()].sort((a, b) => a.line - b.line)
    return new ZoneFileRefused(sorted.slice(0, DEFAULT_LIMITS.problems))
  }
  return error
}

function isServed(type: string): boolean {
  return ifValid(() => (checkWritableType(type), true)) ?? false
}

function fieldOf(message: string): string {
  return /^Field '(\w+)'/.exec(message)?.[1] ?? 'content'
}

function problemItem({ line, column, field, message, severity }: FileProblem) {
  return { line, ...(column === undefined ? {} : { column }), field, message, severity }
}
