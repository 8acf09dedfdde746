import { naturalSortKey } from '#dns/names/sort_key'

/** A search result: a zone, a record, or a comment on either. */
export interface SearchHit {
  kind: 'zone' | 'record' | 'comment'
  zoneId: number
  zoneName: string
  /** null for zones and comments. */
  recordId: number | string | null
  /** Absolute owner name; for a zone, its name. */
  name: string
  /** Record type; null for zones and their descriptions. */
  type: string | null
  /** Content or comment; null for zones. */
  text: string | null
  /** Relevance, 1 to 100. */
  score: number
}

const KINDS: readonly SearchHit['kind'][] = ['zone', 'record', 'comment']

/** Sorts by score, then zones before records before comments, then by name. */
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
