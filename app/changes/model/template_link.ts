/** A record that a zone has from its template. */
export interface GivenRecord {
  /** Relative to the apex, `@` there: it goes along when the zone gets another name. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  /** Canonical. */
  content: string
  priority: number
}

/** That a zone came from a template, and what it has from it. */
export interface TemplateLink {
  templateId: number
  /** Moment when the zone was made from the template, or linked to it. */
  linkedAt: string
  given: GivenRecord[]
}

/** A link as it is stored. */
export interface StoredLink extends TemplateLink {
  /** Moment when the zone was brought to the template last. */
  syncedAt: string
}

/** A link that is to be written. */
export interface WantedLink extends TemplateLink {
  /** What must still be stored; null is "no link". Else the change ends as `StateChanged`. Absent: whatever is. */
  from?: StoredLink | null
}
