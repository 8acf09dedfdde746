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
  /** SOA-EDIT-API; empty where the serial is the product's to move. */
  serialPolicy: string
  digest: string
  version: number
  /** Time since which the server does not have the zone. */
  missingSince: string | null
  missingPasses: number
}

/** A row as the databases hand it out. */
interface Row {
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
export function mirrorZone(row: unknown): MirrorZone {
  const known = row as Row
  return {
    id: Number(known.id),
    name: known.name,
    type: known.type,
    master: known.master,
    account: known.account,
    serial: Number(known.serial),
    editedSerial: Number(known.edited_serial),
    serialPolicy: known.serial_policy,
    digest: known.digest,
    version: Number(known.version),
    missingSince: known.missing_since,
    missingPasses: Number(known.missing_looks),
  }
}
