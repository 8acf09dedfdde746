import { createHash } from 'node:crypto'
import { invalidAnswer } from '#backends/powerdns_api/errors'
import { serialPolicyOf } from '#backends/mirrored/zone_server'
import { fromServerContent } from '#backends/powerdns_api/server_content'
import type { ServerFacts, ServerZone } from '#backends/mirrored/zone_server'
import type { NonRecordData, ZoneKind } from '#backends/contract/types'
import type { RRset } from '#dns/types'

const KINDS: ReadonlySet<string> = new Set<ZoneKind>([
  'MASTER',
  'SLAVE',
  'NATIVE',
  'PRODUCER',
  'CONSUMER',
])

type Members = Record<string, unknown>

/** Parses the properties of a zone without its records. Throws `BackendUnavailable` for an invalid answer. */
export function parseServerFacts(answer: unknown): ServerFacts {
  const { name, kind, masters, account, serial, ...more } = asMembers(answer)
  const kindText = textOf(kind).toUpperCase()
  if (!KINDS.has(kindText) || typeof serial !== 'number' || !Array.isArray(masters)) {
    throw invalidAnswer('a zone of an unknown form')
  }
  const { edited_serial: edited, soa_edit_api: policy, dnssec } = more
  return {
    name: nameOf(name),
    kind: kindText as ZoneKind,
    masters: masters.map(textOf),
    account: textOf(account ?? '') || null,
    serial,
    editedSerial: typeof edited === 'number' ? edited : serial,
    serialPolicy: serialPolicyOf(textOf(policy ?? '')),
    isSigned: dnssec === true,
  }
}

/** Reads a zone with all of its records. Throws as `parseServerFacts`. */
export function parseServerZone(answer: unknown): ServerZone {
  const facts = parseServerFacts(answer)
  const { rrsets: listed } = asMembers(answer)
  if (!Array.isArray(listed)) {
    throw invalidAnswer('a zone without a list of RRsets')
  }
  const sets = listed.map(asMembers)
  const rrsets = sets.flatMap((set) => rrsetOf(set, facts.name))
  const comments = sets.flatMap(commentsOf)
  return { ...facts, rrsets, comments, digest: digestOf(facts, sets) }
}

function rrsetOf(set: Members, apex: string): RRset[] {
  const { records, ttl } = set
  const key = { name: nameOf(set.name), type: textOf(set.type).toUpperCase() }
  if (!Array.isArray(records) || typeof ttl !== 'number') {
    throw invalidAnswer('an RRset without records')
  }
  // Comments can remain after their records.
  if (records.length === 0) {
    return []
  }
  const contents = records
    .map(asMembers)
    .map(({ content, disabled }) =>
      fromServerContent(key, { content: textOf(content), disabled: disabled === true }, apex)
    )
  return [{ ...key, ttl, records: contents }]
}

function commentsOf(set: Members): NonRecordData['comments'] {
  const comments = Array.isArray(set.comments) ? set.comments.map(asMembers) : []
  return comments.map(({ content, account, modified_at: modifiedAt }) => ({
    name: nameOf(set.name),
    type: textOf(set.type).toUpperCase(),
    modifiedAt: typeof modifiedAt === 'number' ? modifiedAt : 0,
    account: textOf(account ?? ''),
    comment: textOf(content),
  }))
}

function digestOf(facts: ServerFacts, sets: Members[]): string {
  const lines = sets.map(({ name, type, ttl, records, comments }) =>
    JSON.stringify([name, type, ttl, sortRecords(records), comments])
  )
  const hash = createHash('sha256').update(JSON.stringify(facts))
  lines.sort().forEach((line) => hash.update(line))
  return hash.digest('hex')
}

/** Records have no order. */
function sortRecords(records: unknown): string[] {
  return Array.isArray(records) ? records.map((record) => JSON.stringify(record)).sort() : []
}

function asMembers(value: unknown): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidAnswer('another value instead of an object')
  }
  return value as Members
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') {
    throw invalidAnswer('another value instead of a string')
  }
  return value
}

/** Converts a name: lower case, without final dot. */
export function nameOf(value: unknown): string {
  return textOf(value).toLowerCase().replace(/\.$/, '')
}
