/** The three tables of a record type: contents with their owner name. */
export interface RecordTables {
  /** Owner name within example.org, if it matters. */
  name?: string
  /** Priority, if 0 is not suitable. */
  priority?: number
  canonical: string[]
  /** Given form and stored form. */
  accepted: [given: string, stored: string][]
  /** Given form and a part of the error. */
  refused: [given: string, reason: string][]
}
