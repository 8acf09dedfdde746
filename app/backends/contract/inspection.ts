import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { ZoneKind } from '#backends/contract/types'

/** A zone as an inspection reads it. */
export interface InspectedZone {
  id: number
  name: string
  kind: ZoneKind
  hasPrimaries: boolean
  /** Number of enabled SOA records at its apex. */
  soaCount: number
}

/** A record without a zone: no name server serves it, and no list contains it. */
export interface StrayRecord {
  id: number
  /** Id of the missing zone; null if the record has none. */
  domainId: number | null
  name: string | null
  type: string | null
  ttl: number | null
  priority: number | null
  disabled: boolean | null
  /** The stored content. */
  content: string | null
}

/**
 * Searches for invalid rows of other tools in the tables of a backend. Each call checks some rows by their ids; the caller
 * continues after the last one.
 */
export interface Inspection {
  /** The next zones after an id, in the order of ids. */
  zones(after: number, limit: number): Promise<InspectedZone[]>
  /** Records without a zone among the next records after an id, and the id to continue from; null at the end. */
  findStrays(after: number, limit: number): Promise<{ records: StrayRecord[]; next: number | null }>
  /** Records without a zone among these ids. */
  findStraysAmong(ids: readonly number[]): Promise<StrayRecord[]>
  /** Deletes the records among these ids that still have no zone, and returns them. */
  removeStrays(ids: readonly number[], trx: TransactionClientContract): Promise<StrayRecord[]>
}
