import { InvalidDns, invalidMessage } from '#dns/errors'
import type { ZoneFileLimits } from '#dns/zonefile/reading/limits'
import type { ZoneFileProblem } from '#dns/zonefile/types'

/** A position in a file; both numbers count from 1. */
export interface SourcePosition {
  line: number
  column?: number
}

/** A fault at a position; it ends the record or directive. */
export class FileFault extends Error {
  constructor(
    readonly position: SourcePosition,
    readonly field: string,
    message: string
  ) {
    const depth = Error.stackTraceLimit
    // A file can have many faults, and a stack trace is the most expensive part of each.
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = depth
  }
}

/** An exceeded limit; it ends the reading. */
export class LimitExceeded extends FileFault {
  constructor(position: SourcePosition, limit: keyof ZoneFileLimits, cap: number, what: string) {
    super(position, 'limit', `${what}; the limit '${limit}' is ${cap}, and reading stops here`)
  }
}

/** Returns the fault for an invalid value of a field. */
export function fault(
  position: SourcePosition,
  field: string,
  value: string,
  problem: string,
  allowed: string
): FileFault {
  return new FileFault(position, field, invalidMessage(field, value, allowed, problem))
}

/** Runs `read`; converts `InvalidDns` to a fault at the position. */
export function atPosition<T>(position: SourcePosition, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof InvalidDns ? new FileFault(position, error.field, error.message) : error
  }
}

/** Returns the problem that users see. */
export function problemAt(
  { line, column }: SourcePosition,
  field: string,
  message: string,
  severity: ZoneFileProblem['severity'] = 'error'
): ZoneFileProblem {
  const where = column === undefined ? `Line ${line}` : `Line ${line}, column ${column}`
  return { kind: 'problem', severity, line, column, field, message: `${where}: ${message}` }
}
