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

/** A record as somebody types it. */
export interface TypedRecord {
  /** Of the record that it replaces. */
  id?: string
  /** Relative to the zone, `@`, or absolute. */
  name: string
  type: string
  content: string
  /** As people write it; empty for the default. */
  ttl: string
  priority: string
}

/** What is to be said of a record that is being typed. */
export interface TypedVerdict {
  problem: { field: string; message: string } | null
  /** The content as it would be kept, in the form that people see; null while there is a problem. */
  content: string | null
  /** What the other records at its name make wrong with it, as far as is known before the change is planned. */
  warnings: string[]
  /** What the type is for; null for a type that is not known. */
  about: { summary: string; example: string; trap: string } | null
}

/** Looks at records while they are typed: the registry's view, and the rules about one name. Writes nothing. */
@inject()
export class RecordCheck {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** @param withOthers whether the other records of the zone may be told of */
  async handle({ zone }: OpenZone, typed: TypedRecord, withOthers: boolean): Promise<TypedVerdict> {
    const known = recordType(typed.type)
    const about = known && { summary: known.summary, example: known.example, trap: known.trap }
    const said = { content: null, warnings: [], about: about ?? null }
    try {
      const set = judged(zone, typed)
      const [{ content }] = set.records
      const warnings = withOthers ? await this.#broken(zone, set, typed.id) : []
      return { ...said, problem: null, content: presentContent(set.type, content), warnings }
    } catch (error) {
      if (!(error instanceof InvalidDns)) {
        throw error
      }
      return { ...said, problem: { field: error.field, message: error.message } }
    }
  }

  /** What the name would break with the record that it does not break by itself. */
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

/** The RRset of the record alone. Throws `InvalidDns`. */
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
  const record = { type, content, priority, disabled: false, name, apex: zone.name }
  return { name, type, ttl, records: [canonicalRecord(record)] }
}
