const SHOWN = 100

/**
 * A name, address, number or content that DNS (or PowerDNS) does not take. The message names the field,
 * the value found and what is allowed, and may be shown to the person who sent the value.
 *
 * `rule` is the id of a rule of app/dns/rules.ts where one was broken.
 */
export class InvalidDns extends Error {
  readonly code = 'E_INVALID_DNS'
  readonly rule?: string

  /**
   * @param field   member of the request, such as 'content'
   * @param value   what was found there
   * @param allowed what would be taken, read after "allowed is"
   * @param more    `problem` is read after the value ("is not valid" by default)
   */
  constructor(
    readonly field: string,
    readonly value: string,
    readonly allowed: string,
    more: { problem?: string; rule?: string } = {}
  ) {
    const depth = Error.stackTraceLimit
    // A text has many faults, and a stack costs more than all else of one.
    Error.stackTraceLimit = 0
    super(invalidMessage(field, value, allowed, more.problem))
    Error.stackTraceLimit = depth
    this.name = 'InvalidDns'
    this.rule = more.rule
  }
}

/** The message of an InvalidDns, for errors of other kinds that say the same. */
export function invalidMessage(
  field: string,
  value: string,
  allowed: string,
  problem = 'is not valid'
): string {
  return `Field '${field}': ${shown(value)} ${problem}; allowed is ${allowed}`
}

function shown(value: string): string {
  return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}...` : value)
}
