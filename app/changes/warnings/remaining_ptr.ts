import type { Actor, Channel } from '#access/actor'
import { canView } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { DnsBackend } from '#backends/contract/backend'
import { findPtrLocations } from '#changes/zone_index/ptr_locations'
import type { ChangedZone } from '#changes/warnings/lua'
import { isAddress, reverseName } from '#dns/addresses/address_text'
import type { Violation } from '#dns/rules/violation'
import type { RRsetChange } from '#dns/types'

/** A change that removes more addresses gets no such warnings. */
const MAX_REMOVED_ADDRESSES = 100

/** Channels that do not show warnings. */
const CHANNELS_WITHOUT_WARNINGS: readonly Channel[] = ['dyndns', 'job']

/** An address record that the change removes. */
interface RemovedAddress {
  zone: number
  host: string
  type: string
  address: string
}

/**
 * Warnings about PTR records that still name a host whose address record was removed. Only PTR records in zones that
 * the actor can view and that the change set itself does not remove. No query without a removed address.
 *
 * @returns warnings by the index of the zone
 */
export async function remainingPtrWarnings(
  backend: DnsBackend,
  actor: Actor,
  zones: readonly ChangedZone[]
): Promise<Map<number, Violation[]>> {
  const removed = CHANNELS_WITHOUT_WARNINGS.includes(actor.channel) ? [] : removedAddresses(zones)
  if (removed.length === 0 || removed.length > MAX_REMOVED_ADDRESSES) {
    return new Map()
  }
  const names = removed.map(({ address }) => reverseName(address))
  const pointersBefore = await findPtrLocations(backend, [...new Set(names)])
  const pointers = pointersAfter(zones)
  const isVisible = new Map<number, boolean>()
  const found = new Map<number, Violation[]>()
  for (const [index, { zone, host, type, address }] of removed.entries()) {
    const pointer = pointersBefore.get(names[index])
    if (!pointer) continue
    const { owner } = pointer
    const records = pointers.has(owner) ? pointers.get(owner) : pointer.ptr?.records
    if (!records?.some(({ content }) => content.toLowerCase() === host)) continue
    if (!isVisible.has(pointer.zone.id)) {
      isVisible.set(pointer.zone.id, canView(actor, await loadZoneFacts(pointer.zone)))
    }
    if (!isVisible.get(pointer.zone.id)) continue
    const message = `${host} ${type}: the PTR record ${owner} in the zone ${pointer.zone.name} still names ${host}, which no longer has the address ${address} (RFC 1912, 2.1)`
    const warning = { rule: 'ptr-left', severity: 'warning' as const, name: host, type, message }
    found.set(zone, [...(found.get(zone) ?? []), warning])
  }
  return found
}

/**
 * Addresses that the change removes from their names; a change of TTL or a disabled record removes
 * none.
 */
function removedAddresses(zones: readonly ChangedZone[]): RemovedAddress[] {
  return zones.flatMap(({ changes }, zone) =>
    changes
      .filter(({ type, before }) => before !== null && (type === 'A' || type === 'AAAA'))
      .flatMap(({ name, type, before, after }) => {
        const remainingContents = new Set(after?.records.map(({ content }) => content))
        const removedRecords = before!.records.filter(
          ({ content }) => !remainingContents.has(content) && isAddress(content)
        )
        const addresses = new Set(removedRecords.map(({ content }) => content))
        return [...addresses].map((address) => ({ zone, host: name, type, address }))
      })
  )
}

/** The PTR records after the change set, by owner name. */
function pointersAfter(zones: readonly ChangedZone[]) {
  const changed = zones.flatMap(({ changes }): [string, RRsetChange][] =>
    changes.filter(({ type }) => type === 'PTR').map((change) => [change.name, change])
  )
  return new Map(changed.map(([name, { after }]) => [name, after?.records ?? []]))
}
