import type { ZoneTables } from '#backends/sql/tables'
import { MIRROR_TEXTS } from '#database/trigram_index/source'

/** Tables of the mirror, in the form of PowerDNS' tables. */
export const MIRROR_TABLES: ZoneTables = {
  zones: 'zw_mirror_zones',
  records: 'zw_mirror_records',
  comments: 'zw_mirror_comments',
  metadata: 'zw_mirror_metadata',
  keys: 'zw_mirror_keys',
  texts: MIRROR_TEXTS,
}

/** Additional properties of a zone in the mirror. */
export interface MirrorZone {
  id: number
  name: string
  type: string
  master: string | null
  account: string | null
  serial: number
  editedSerial: number
  /** SOA-EDIT-API; empty if Zonewright changes the serial. */
  serialPolicy: string
  digest: string
  version: number
  /** Time since which the server does not have the zone. */
  missingSince: string | null
  missingPasses: number
}

/** A row as the database drivers return it. */
interface MirrorRow {
  id: number | string
  name: string
  type: string
  master: string | null
  account: string | null
  serial: number | string
  edited_serial: number | string
  serial_policy: string
  digest: string
  version: number | string
  missing_since: string | null
  missing_looks: number | string
}

/** Reads a row of the mirror's zones. */
export function mirrorZoneFromRow(row: unknown): MirrorZone {
  const mirrorRow = row as MirrorRow
  return {
    id: Number(mirrorRow.id),
    name: mirrorRow.name,
    type: mirrorRow.type,
    master: mirrorRow.master,
    account: mirrorRow.account,
    serial: Number(mirrorRow.serial),
    editedSerial: Number(mirrorRow.edited_serial),
    serialPolicy: mirrorRow.serial_policy,
    digest: mirrorRow.digest,
    version: Number(mirrorRow.version),
    missingSince: mirrorRow.missing_since,
    missingPasses: Number(mirrorRow.missing_looks),
  }
}
