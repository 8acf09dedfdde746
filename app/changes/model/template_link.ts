/** A record that a zone got from its template. */
export interface LinkedRecord {
  /** Relative to the apex, `@` there: it stays valid when the zone is renamed. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  /** Canonical. */
  content: string
  priority: number
}

/** The template of a zone, and the records from it. */
export interface TemplateLink {
  templateId: number
  /** When the zone was created from the template or linked to it. */
  linkedAt: string
  templateRecords: LinkedRecord[]
}

/** A stored link. */
export interface StoredLink extends TemplateLink {
  /** When the zone was last synced with the template. */
  syncedAt: string
}

/** A link to store. */
export interface RequestedLink extends TemplateLink {
  /** The required stored link; null for none. Else `StateChanged`. Absent: no requirement. */
  from?: StoredLink | null
}
