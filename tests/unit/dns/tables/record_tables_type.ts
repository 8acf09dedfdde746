/** The three tables of a record type: contents with the owner name they stand at. */
export interface RecordTables {
  /** Owner name within example.org, when it matters. */
  name?: string
  /** Priority, where 0 does not do. */
  priority?: number
  canonical: string[]
  /** Form given, form stored. */
  accepted: [given: string, stored: string][]
  /** Form given, a part of the reason. */
  refused: [given: string, reason: string][]
}
