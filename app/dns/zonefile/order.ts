import { reversedLabels } from '#dns/names'
import { finished, sortSteps } from '#dns/steps'
import type { RecordData, RRset } from '#dns/types'

/** Types that come first at a name, in this order; the others follow by mnemonic. */
const FIRST_TYPES = ['SOA', 'NS', 'DS', 'CNAME', 'DNAME', 'ALIAS', 'A', 'AAAA', 'MX', 'TXT']
const TYPE_RANKS = new Map(FIRST_TYPES.map((type, rank) => [type, rank]))

/**
 * Sorts RRsets in the order of zone files: the SOA, other types of the apex, then names in DNSSEC order (RFC 4034, 6.1); by
 * type at each name.
 */
export function zoneOrder(rrsets: Iterable<RRset>, apex: string): RRset[] {
  return finished(zoneOrderSteps(rrsets, apex))
}

/** As `zoneOrder`, in steps of bounded length. */
export function* zoneOrderSteps(
  rrsets: Iterable<RRset>,
  apex: string
): Generator<undefined, RRset[]> {
  const keyed: { rrset: RRset; key: string }[] = []
  for (const rrset of rrsets) {
    keyed.push({ rrset, key: reversedLabels(rrset.name, apex) })
    yield
  }
  const sorted = yield* sortSteps(
    keyed,
    (a, b) => compare(a.key, b.key) || compareTypes(a.rrset.type, b.rrset.type)
  )
  const ordered: RRset[] = []
  for (const { rrset } of sorted) {
    ordered.push(rrset)
    yield
  }
  return ordered
}

/** Sorts the records of an RRset by priority, then content; an enabled record precedes its disabled twin. */
export function recordOrder(records: readonly RecordData[]): RecordData[] {
  return finished(recordOrderSteps(records))
}

/** As `recordOrder`, in steps of bounded length. */
export function recordOrderSteps(
  records: readonly RecordData[]
): Generator<undefined, RecordData[]> {
  return sortSteps(
    records,
    (a, b) =>
      a.priority - b.priority ||
      compare(a.content, b.content) ||
      Number(a.disabled) - Number(b.disabled)
  )
}

function compareTypes(a: string, b: string): number {
  const last = FIRST_TYPES.length
  return (TYPE_RANKS.get(a) ?? last) - (TYPE_RANKS.get(b) ?? last) || compare(a, b)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
