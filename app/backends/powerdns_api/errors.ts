import { BackendUnavailable } from '#backends/contract/errors'

/** PowerDNS refused or failed; the message contains its text. */
export class PowerDnsRefusal extends BackendUnavailable {
  constructor(
    /** HTTP status. */
    readonly status: number,
    /** Error text of PowerDNS in one short line; may be empty. */
    readonly reason: string
  ) {
    super(`The PowerDNS API answered ${status}${reason ? `: ${reason}` : ''}`)
  }
}

/** Status codes of a wrong key or address: the server changed nothing. */
export const NOT_ALLOWED_STATUSES: ReadonlySet<number> = new Set([401, 403, 405])

/** 404: the server has no such zone, key or address. */
export class PowerDnsMissing extends PowerDnsRefusal {
  constructor(reason: string) {
    super(404, reason)
  }
}

/** 409: the object exists already. */
export class PowerDnsConflict extends PowerDnsRefusal {
  constructor(reason: string) {
    super(409, reason)
  }
}

/** 422: the data is invalid; `reason` is the text of PowerDNS. */
export class PowerDnsInvalid extends PowerDnsRefusal {
  constructor(reason: string) {
    super(422, reason)
  }
}

/** 413: the body is too large for the server, or for a proxy before it. */
export class PowerDnsTooLarge extends PowerDnsRefusal {
  constructor(reason: string) {
    super(413, reason)
  }
}

/** The error of a status outside of 200 to 299. */
export function refusalOf(status: number, reason: string): PowerDnsRefusal {
  switch (status) {
    case 404:
      return new PowerDnsMissing(reason)
    case 409:
      return new PowerDnsConflict(reason)
    case 422:
      return new PowerDnsInvalid(reason)
    case 413:
      return new PowerDnsTooLarge(reason)
    default:
      return new PowerDnsRefusal(status, reason)
  }
}

/** The answer has an invalid format. Its text is not repeated, because it may contain anything. */
export function invalidAnswer(what: string): BackendUnavailable {
  return new BackendUnavailable(`The PowerDNS API sent an invalid answer (${what})`)
}
