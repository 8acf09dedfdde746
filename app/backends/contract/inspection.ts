import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { ZoneKind } from '#backends/contract/types'

/** What an inspection sees of a zone. */
export interface InspectedZone {
  id: number
  name: string
  kind: ZoneKind
  hasPrimaries: boolean
  /** SOA records at its apex that are served. */
  soaCount: number
}

/** A record that belongs to no zone: no name server answers it, and no list shows it. */
export interface StrayRecord {
  id: number
  /** Of the zone that is not there; null where it names none. */
  domainId: number | null
  name: string | null
  type: string | null
  ttl: number | null
  priority: number | null
  disabled: boolean | null
  /** As it is stored. */
  content: string | null
}

/**
 * Searches for invalid rows of other tools in the tables of a backend. Each call checks some rows by their ids; the caller
 * continues after the last one.
 */
export interface Inspection {
  /** The next zones behind an id, in the order of their ids. */
  zones(after: number, limit: number): Promise<InspectedZone[]>
  /** Those of the next records behind an id that belong to no zone, and the id to go on from; null behind the last. */
  findStrays(after: number, limit: number): Promise<{ records: StrayRecord[]; next: number | null }>
  /** Those of some records that belong to no zone. */
  findStraysAmong(ids: readonly number[]): Promise<StrayRecord[]>
  /** Deletes those of some records that belong to no zone still, and returns them. */
  removeStrays(ids: readonly number[], trx: TransactionClientContract): Promise<StrayRecord[]>
}
