/** What a look at all zones of a name server came to, in numbers of zones. */
export interface SyncedZones {
  /** That the server has. */
  zones: number
  /** That were not known. */
  added: number
  /** Of another kind, or with other primaries, than was known. */
  changed: number
  /** That the server does not have, though they are still in the lists. */
  missing: number
  /** That were missing long enough, and left the lists. */
  removed: number
}
