import type { ChangeRule } from '#dns/rules/rule'
import type { RecordData, RRset, RRsetChange } from '#dns/types'

/** Rules about side effects of a change. */
export const CHANGE_RULES: readonly ChangeRule[] = [
  {
    id: 'set-ttl',
    severity: 'warning',
    rfc: 'RFC 2181, 5.2',
    demands: 'The records of an RRset have one TTL. A new TTL of one record applies to all.',
    check({ type, before, after }: RRsetChange) {
      if (!before || !after || before.ttl === after.ttl || after.records.length < 2) return []
      if (!retainsRecord(before, after)) return []
      const step = `from ${before.ttl} to ${after.ttl} seconds`
      const message = `the TTL of all ${after.records.length} records of the RRset changes ${step}`
      return [{ type, message }]
    },
  },
]

/** Returns whether a record stays, by id or by content. */
function retainsRecord(before: RRset, after: RRset): boolean {
  const old = new Set(before.records.flatMap(identities))
  return after.records.flatMap(identities).some((identity) => old.has(identity))
}

function identities({ id, content, priority }: RecordData): string[] {
  return [`${priority} ${content}`, ...(id === undefined ? [] : [`#${id}`])]
}
