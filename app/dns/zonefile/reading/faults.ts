import { InvalidDns, invalidMessage } from '#dns/errors'
import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'
import type { ZoneFileProblem } from '#dns/zonefile/types'

/** Where something stands in a file; both count from 1. */
export interface SourcePosition {
  line: number
  column?: number
}

/** A fault at a place; ends the record or directive it is in. */
export class FileFault extends Error {
  constructor(
    readonly place: SourcePosition,
    readonly field: string,
    message: string
  ) {
    const depth = Error.stackTraceLimit
    // A file has many faults, and a stack costs more than all else of one.
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = depth
  }
}

/** A cap that is broken; ends the reading. */
export class LimitBroken extends FileFault {
  constructor(place: SourcePosition, limit: keyof ZoneFileLimits, cap: number, what: string) {
    super(place, 'limit', `${what}; the cap '${limit}' is ${cap}, and reading ends here`)
  }
}

/** The fault of a field that has a wrong value. */
export function fault(
  place: SourcePosition,
  field: string,
  value: string,
  problem: string,
  allowed: string
): FileFault {
  return new FileFault(place, field, invalidMessage(field, value, allowed, problem))
}

/** Runs `read`; what it refuses is a fault at `place`. */
export function atPosition<T>(place: SourcePosition, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof InvalidDns ? new FileFault(place, error.field, error.message) : error
  }
}

/** The problem that people see. */
export function problemAt(
  { line, column }: SourcePosition,
  field: string,
  message: string,
  severity: ZoneFileProblem['severity'] = 'error'
): ZoneFileProblem {
  const where = column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`
  return { kind: 'problem', severity, line, column, field, message: `${where}: ${message}` }
}
