import { inject } from '@adonisjs/core'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { checkWriter } from '#changes/planning/target_rrsets'
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
export interface TypedVerdict {
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
  async handle({ zone }: OpenZone, typed: TypedRecord, withOthers: boolean): Promise<TypedVerdict> {
    const known = recordType(typed.type)
    const about = known && { summary: known.summary, example: known.example, trap: known.trap }
    const emptyVerdict = { content: null, warnings: [], about: about ?? null }
    try {
      const set = judged(zone, typed)
      const [{ content }] = set.records
      const warnings = withOthers ? await this.#broken(zone, set, typed.id) : []
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
  async #broken(zone: BackendZone, set: RRset, id: string | undefined): Promise<string[]> {
    const before = await this.#backend.rrsetsAt(zone, [set.name])
    const others = before.map((other) => ({
      ...other,
      records: other.records.filter((record) => String(record.id) !== id),
    }))
    const same = others.find(({ type }) => type === set.type)
    const joined = { ...set, records: [...(same?.records ?? []), ...set.records] }
    const after = [...others.filter((other) => other !== same), joined]
    const rulesOf = (sets: RRset[]) =>
      nameRules(zone.name, set.name, sets).map(({ message }) => message)
    const known = new Set(rulesOf(before))
    return [...new Set(rulesOf(after))].filter((message) => !known.has(message))
  }
}

/** Returns the RRset of this record alone. Throws `InvalidDns`. */
function judged(zone: BackendZone, typed: TypedRecord): RRset {
  const name = ownerName(typed.name.trim(), zone.name)
  const ttl = typed.ttl.trim() === '' ? 0 : parseTtl(typed.ttl.trim())
  const text = typed.priority.trim()
  const priority = text === '' ? 0 : Number(text)
  if (!Number.isInteger(priority) || priority < 0 || priority > 65_535) {
    throw new InvalidDns('priority', text, 'a whole number from 0 to 65535')
  }
  checkWriter(typed.type)
  const type = typed.type.toUpperCase()
  const content = typed.content.trim()
  const record = { type, content, isTyped: true, priority, disabled: false, name, apex: zone.name }
  return { name, type, ttl, records: [canonicalRecord(record)] }
}
