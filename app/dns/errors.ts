const MAX_QUOTED_CHARACTERS = 100

/**
 * A name, address, number or content that DNS or PowerDNS does not accept. The message contains
 * field, value and allowed values, and may be returned to the sender.
 *
 * `rule` is the id of a broken rule of app/dns/rules.ts.
 */
export class InvalidDns extends Error {
  readonly code = 'E_INVALID_DNS'
  readonly rule?: string
  /** The problem with the value, such as "is empty"; the message contains it after the value. */
  readonly problem?: string

  /**
   * @param field member of the request, such as 'content'
   * @param value invalid value
   * @param allowed allowed values, after "allowed:"
   * @param more `problem` follows the value ("is not valid" by default)
   */
  constructor(
    readonly field: string,
    readonly value: string,
    readonly allowed: string,
    more: { problem?: string; rule?: string } = {}
  ) {
    const depth = Error.stackTraceLimit
    // A text can have many errors, and a stack trace is the most expensive part of each.
    Error.stackTraceLimit = 0
    super(invalidMessage(field, value, allowed, more.problem))
    Error.stackTraceLimit = depth
    this.name = 'InvalidDns'
    this.rule = more.rule
    this.problem = more.problem
  }
}

/** The result of `read`; undefined if it throws `InvalidDns`. Throws other errors. */
export function ifValid<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidDns)) throw error
    return undefined
  }
}

/** Invalid records of one RRset. It has the field and the message of the first one. */
export class InvalidRecords extends InvalidDns {
  /** @param wrong the errors by index of the record, from 0; at least one */
  constructor(readonly wrong: ReadonlyMap<number, InvalidDns>) {
    const [first] = wrong.values()
    super(first.field, first.value, first.allowed, { rule: first.rule })
    this.message = first.message
  }
}

/** Returns the message of an InvalidDns, for other error classes. */
export function invalidMessage(
  field: string,
  value: string,
  allowed: string,
  problem = 'is not valid'
): string {
  return `Field '${field}': ${quoteValue(value)} ${problem}; allowed: ${allowed}`
}

function quoteValue(value: string): string {
  return JSON.stringify(
    value.length > MAX_QUOTED_CHARACTERS ? `${value.slice(0, MAX_QUOTED_CHARACTERS)}...` : value
  )
}
