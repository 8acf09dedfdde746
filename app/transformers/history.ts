import type { JournalRow } from '#changes/model/journal_entry'
import type { TrashedZone } from '#changes/journal/trash'
import type { changeItem } from '#transformers/plan'
import type { rrsetItem } from '#transformers/rrset'
import type { ZoneAt } from '#zones/history/history'

/** Which parts of an entry are shown. */
export interface EntryView {
  changes?: ReturnType<typeof changeItem>[] | null
  /** Metadata, if the caller may view those of the zone. */
  withMetadata?: boolean
}

/** A journal entry; with its changes if they are given. */
export function entryItem(entry: JournalRow, { changes, withMetadata = false }: EntryView = {}) {
  // Entries of a created or deleted zone contain more than the changed properties.
  const isStep = entry.zoneBefore !== null && entry.zoneAfter !== null
  const withMetadataShown = withMetadata && isStep
  return {
    entry: entry.entry,
    zone_id: entry.zoneId,
    zone_name: entry.zoneName,
    time: entry.time,
    actor: {
      user_id: entry.userId,
      username: entry.username,
      api_key_id: entry.apiKeyId,
      address: entry.address,
    },
    channel: entry.channel,
    reason: entry.reason,
    serial_before: entry.serialBefore,
    serial_after: entry.serialAfter,
    origin: { kind: entry.originKind, id: originId(entry.originId) },
    ...(entry.zoneBefore || entry.zoneAfter
      ? {
          properties: {
            before: propertiesOf(entry.zoneBefore, withMetadataShown),
            after: propertiesOf(entry.zoneAfter, withMetadataShown),
          },
        }
      : {}),
    ...(changes ? { changes } : {}),
  }
}

/** A former state of a zone with its RRsets. */
export function zoneAtDetail(
  { zone, description, entry, time, serial }: ZoneAt,
  rrsets: ReturnType<typeof rrsetItem>[]
) {
  const { id, name, kind, masters, account } = zone
  return {
    zone: {
      id,
      name,
      type: kind,
      masters: masters.length > 0 ? masters.join(',') : null,
      account,
      description,
      entry,
      time,
      serial,
    },
    rrsets,
  }
}

/** A deleted zone of the API. */
export function trashItem(zone: TrashedZone) {
  return {
    id: zone.id,
    zone_id: zone.zoneId,
    zone_name: zone.zoneName,
    deleted_at: zone.deletedAt,
    deleted_by: { user_id: zone.userId, username: zone.username },
  }
}

/** Properties to show; other data of a zone have their own endpoints. */
export function propertiesOf(state: JournalRow['zoneBefore'], withMetadata: boolean) {
  if (!state) {
    return null
  }
  const { name, kind, masters, account, description, metadata } = state
  const properties = { name, kind, masters, account, description }
  return withMetadata ? { ...properties, metadata } : properties
}

function originId(id: string | null): number | string | null {
  return id !== null && /^\d{1,15}$/.test(id) ? Number(id) : id
}
