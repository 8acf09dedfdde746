import { naturalSortKey } from '#dns/names/sort_key'

/** What was found: a zone by its name, a record, or what somebody wrote about either. */
export interface SearchHit {
  kind: 'zone' | 'record' | 'comment'
  zoneId: number
  zoneName: string
  /** null for zones and comments. */
  recordId: number | string | null
  /** Owner name, absolute; of a zone its own. */
  name: string
  /** Record type; null for zones and what was written about them. */
  type: string | null
  /** Content, comment; null for zones. */
  text: string | null
  /** How well it fits, 1 to 100. */
  score: number
}

const KINDS: readonly SearchHit['kind'][] = ['zone', 'record', 'comment']

/** Hits in the order in which they are shown: the best first, zones before records before comments, by name. */
export function ranked(hits: readonly SearchHit[]): SearchHit[] {
  const keyed = hits.map((hit) => ({ hit, key: naturalSortKey(hit.name) }))
  keyed.sort(
    (one, other) =>
      other.hit.score - one.hit.score ||
      KINDS.indexOf(one.hit.kind) - KINDS.indexOf(other.hit.kind) ||
      compare(one.key, other.key) ||
      compare(one.hit.type ?? '', other.hit.type ?? '') ||
      compare(one.hit.text ?? '', other.hit.text ?? '') ||
      Number(one.hit.recordId ?? 0) - Number(other.hit.recordId ?? 0) ||
      one.hit.zoneId - other.hit.zoneId
  )
  return keyed.map(({ hit }) => hit)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
