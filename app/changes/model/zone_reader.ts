import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import type { RecordId, RRset } from '#dns/types'

/** The reads of planning: on a backend, or on a write session that holds the lock of the zone. */
export interface ZoneReader {
  rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]>
  findRecords(zone: BackendZone, ids: RecordId[]): Promise<StoredRecord[]>
  rrsetsPointingTo(zone: BackendZone, types: string[], targets: string[]): Promise<RRset[]>
  cutsAt(zone: BackendZone, names: string[]): Promise<RRset[]>
  namesBelow(zone: BackendZone, names: string[], limit: number): Promise<string[]>
  aliasesAmong(names: string[], exceptZoneId: number): Promise<string[]>
}
