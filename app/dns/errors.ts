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
    super(
      `Field '${field}': ${shown(value)} ${more.problem ?? 'is not valid'}; allowed is ${allowed}`
    )
    this.name = 'InvalidDns'
    this.rule = more.rule
  }
}

function shown(value: string): string {
  return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}...` : value)
}
