import { inject } from '@adonisjs/core'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import type { StoredRecord } from '#backends/contract/types'
import { BackendManager } from '#backends/manager'
import { checkWritableType, applyPatch } from '#changes/planning/target_rrsets'
import { InvalidDns } from '#dns/errors'
import { ownerName } from '#dns/names'
import { canonicalRecord, presentContent, recordType } from '#dns/records/registry'
import { nameRules } from '#dns/rules'
import { parseTtl } from '#dns/rdata/ttl_text'
import type { RRset } from '#dns/types'
import type { OpenZone } from '#zones/directory'

/** A record as the user types it. */
export interface TypedRecord {
  /** Id of the record that it replaces. */
  id?: string
  /** Relative to the zone, `@`, or absolute. */
  name: string
  type: string
  content: string
  /** Any TTL notation; empty for the default. */
  ttl: string
  priority: string
}

/** Result of the check. */
export interface RecordVerdict {
  problem: { field: string; message: string } | null
  /** Normalized content in presentation format; null for an invalid record. */
  content: string | null
  /** Conflicts with other records of the name, as far as they are known before a dry run. */
  warnings: string[]
  /** Purpose of the type; null for an unknown type. */
  about: { summary: string; example: string; trap: string } | null
}

/**
 * Checks records while users type them, by the type registry and the rules of one name. Writes
 * nothing.
 */
@inject()
export class RecordCheck {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** @param withOthers whether warnings may reveal other records of the zone */
  async handle(
    { zone }: OpenZone,
    typed: TypedRecord,
    withOthers: boolean
  ): Promise<RecordVerdict> {
    const known = recordType(typed.type)
    const about = known && { summary: known.summary, example: known.example, trap: known.trap }
    const emptyVerdict = { content: null, warnings: [], about: about ?? null }
    try {
      const stored = typed.id === undefined ? null : await this.#backend.findRecord(zone, typed.id)
      const set = verdictOf(zone, typed, stored)
      const [{ content }] = set.records
      const warnings = withOthers ? await this.#brokenRule(zone, set, typed.id) : []
      return {
        ...emptyVerdict,
        problem: null,
        content: presentContent(set.type, content),
        warnings,
      }
    } catch (error) {
      if (!(error instanceof InvalidDns)) {
        throw error
      }
      return { ...emptyVerdict, problem: { field: error.field, message: error.message } }
    }
  }

  /** Returns violations that the record causes only together with others of the name. */
  async #brokenRule(zone: BackendZone, set: RRset, id: string | undefined): Promise<string[]> {
    const before = await this.#backend.rrsetsAt(zone, [set.name])
    const otherSets = before.map((otherSet) => ({
      ...otherSet,
      records: otherSet.records.filter((record) => String(record.id) !== id),
    }))
    const sameTypeSet = otherSets.find(({ type }) => type === set.type)
    const joined = { ...set, records: [...(sameTypeSet?.records ?? []), ...set.records] }
    const after = [...otherSets.filter((otherSet) => otherSet !== sameTypeSet), joined]
    const rulesOf = (sets: RRset[]) =>
      nameRules(zone.name, set.name, sets).map(({ message }) => message)
    const rulesBefore = new Set(rulesOf(before))
    return [...new Set(rulesOf(after))].filter((message) => !rulesBefore.has(message))
  }
}

/**
 * Returns the RRset of this record alone. Values that repeat the stored record are not judged: other
 * programs store names, TTLs and contents that no rule allows. Throws `InvalidDns`.
 */
function verdictOf(zone: BackendZone, typed: TypedRecord, stored: StoredRecord | null): RRset {
  const type = typed.type.toUpperCase()
  const ttlText = typed.ttl.trim()
  const priorityText = typed.priority.trim()
  const content = typed.content.trim()
  const name = typed.name.trim()
  if (!stored) {
    checkWritableType(typed.type)
    const ttl = ttlText === '' ? 0 : parseTtl(ttlText)
    const priority = priorityOf(priorityText)
    const owner = ownerName(name, zone.name)
    const record = { type, content, isTyped: true, priority, disabled: false, name: owner }
    const records = [canonicalRecord({ ...record, apex: zone.name })]
    return { name: owner, type, ttl, records }
  }
  const before = { ...stored, priority: stored.priority ?? 0 }
  const isStoredTtl = String(stored.ttl) === ttlText
  const isShown = type === stored.type && content === shownContent(stored)
  const [key, ttl, record] = applyPatch(
    zone,
    { key: { name: stored.name, type: stored.type }, ttl: stored.ttl, record: before },
    {
      name,
      type,
      content: isShown ? stored.content : content,
      isTyped: true,
      ...(ttlText === '' ? {} : { ttl: isStoredTtl ? Number(ttlText) : parseTtl(ttlText) }),
      ...(priorityText === '' ? {} : { priority: priorityOf(priorityText, before.priority) }),
    }
  )
  return { ...key, ttl, records: [record] }
}

/** The stored content as the editor shows it. */
function shownContent({ type, content }: StoredRecord): string {
  return presentContent(type, content).trim()
}

function priorityOf(text: string, stored?: number): number {
  if (text === '' || text === String(stored)) return Number(text)
  const priority = Number(text)
  if (!Number.isInteger(priority) || priority < 0 || priority > 65_535) {
    throw new InvalidDns('priority', text, 'a whole number from 0 to 65535')
  }
  return priority
}
