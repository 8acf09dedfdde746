import type { RecordId } from '#dns/types'
import dns from '#config/dns'

/** The id of a record as callers see it: a number where it is a row of PowerDNS', else a text that says nothing. */
export function shownRecordId<Id extends RecordId | null>(id: Id): Id | string {
  return dns.backend === 'sql' || id === null ? id : String(id)
}
