import type { ZoneKind } from '#backends/contract/backend'
import type { Metadata } from '#dns/metadata/metadata'

/** Properties of a zone that can change; absent members stay. */
export interface ZoneProperties {
  /** New apex, canonical. */
  name?: string
  kind?: ZoneKind
  masters?: string[]
  account?: string | null
  description?: string | null
  /** Values of some kinds, by their names in upper case; none for a kind that is to end. */
  metadata?: Metadata
}

/** Ids of the users and groups that own a zone. */
export interface Owners {
  users: number[]
  groups: number[]
}
