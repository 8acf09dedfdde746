import { WriteRefused, ZoneGone } from '#backends/contract/errors'
import type { Code } from '#controllers/dyndns/codes'
import { InvalidDns } from '#dns/errors'
import { Refusal } from '#exceptions/refusal'
import { TooManyChanges } from '#zones/dynamic_dns/limits'
import { NothingToUpdate } from '#zones/dynamic_dns/update_hosts'

/**
 * The code of an error of one host. A change that needs review is refused with a 403, as one
 * without permission: both are `!yours`, after which clients do not retry at once.
 */
export function codeOfError(error: unknown): Code {
  if (error instanceof TooManyChanges) {
    return 'abuse'
  }
  if (error instanceof NothingToUpdate) {
    return '!yours'
  }
  if (error instanceof InvalidDns || error instanceof WriteRefused) {
    return 'dnserr'
  }
  if (error instanceof ZoneGone) {
    return 'nohost'
  }
  if (!(error instanceof Refusal)) {
    return '911'
  }
  switch (error.status) {
    case 404:
      return 'nohost'
    case 401:
    case 403:
      return '!yours'
    case 400:
    case 409:
      return 'dnserr'
    default:
      return '911'
  }
}
