import type { ZoneKind } from '#backends/contract/backend'
import type { Metadata } from '#dns/metadata/metadata'

/** Changeable properties of a zone; absent members stay. */
export interface ZoneProperties {
  /** New apex, canonical. */
  name?: string
  kind?: ZoneKind
  masters?: string[]
  account?: string | null
  description?: string | null
  /** Values by kind in upper case; an empty list deletes a kind. */
  metadata?: Metadata
}

/** Ids of the users and groups that own a zone. */
export interface Owners {
  users: number[]
  groups: number[]
}
