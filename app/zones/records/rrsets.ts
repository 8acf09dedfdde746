import { inject } from '@adonisjs/core'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { RRsetListQuery } from '#backends/contract/record_lists'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { Condition, RecordAction, RRsetItem } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { inlineComments } from '#changes/comments/comment_store'
import { ActionErrors, ActionRefused, isExpected, itemMessages } from '#changes/model/action_error'
import { findStoredKey } from '#changes/model/rrset_key'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { InvalidDns, InvalidRecords } from '#dns/errors'
import type { Violation } from '#dns/rules/violation'
import { withOwnTyped } from '#dns/names/short_targets'
import type { RRset, RRsetKey } from '#dns/types'
import { notFound, Refusal } from '#exceptions/refusal'
import type { ListResult } from '#lists/list_result'
import type { OpenZone } from '#zones/directory'
import { defaultTtl } from '#zones/records/records'

/** Input for an RRset. `name` is relative to the zone, `@`, or absolute; `ttl` in seconds. */
export interface RRsetInput extends RRsetKey {
  ttl?: number
  records: RRsetItem[]
}

/** Results of earlier checks of a replacement. */
interface RRsetChecks {
  condition?: Condition
  /** Index in the request of each record. */
  places?: readonly number[]
  /** Refusals by index of the record in the request. */
  errors?: ActionErrors
  /** Whether the request has one record: its error is not listed. */
  isSingle?: boolean
}

/** An RRset with one comment per record, in their order, if requested. */
export type CommentedRRset = RRset & { comments?: string[] }

@inject()
export class ZoneRRsets {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  list({ zone }: OpenZone, query: RRsetListQuery): Promise<ListResult<RRset>> {
    return this.#backend.listRRsets(zone, query)
  }

  /** Yields the whole list, read on demand. */
  batches({ zone }: OpenZone, query: RRsetListQuery): AsyncGenerator<RRset[], void> {
    return this.#backend.rrsetBatches(zone, query)
  }

  /** Adds the comments of the records. */
  async commented({ zone }: OpenZone, rrsets: CommentedRRset[]): Promise<CommentedRRset[]> {
    const records = rrsets.flatMap(({ name, type, records: its }) =>
      its.map(({ content, priority }) => ({ name, type, content, priority }))
    )
    const all = await inlineComments(zone, records)
    const comments = all.values()
    return rrsets.map((rrset) => ({
      ...rrset,
      comments: rrset.records.map(() => comments.next().value ?? ''),
    }))
  }

  /** Throws a 404 `Refusal` if the zone has no such RRset, and `InvalidDns` for an invalid name. */
  async find({ zone }: OpenZone, key: RRsetKey): Promise<RRset> {
    const { name, type } = await findStoredKey(this.#backend, zone, key)
    const sets = await this.#backend.rrsetsAt(zone, [name])
    const rrset = sets.find((set) => set.type === type)
    if (!rrset) {
      throw missing()
    }
    return rrset
  }

  /** Returns all RRsets at these canonical owner names. */
  rrsetsAt({ zone }: OpenZone, names: string[]): Promise<RRset[]> {
    return this.#backend.rrsetsAt(zone, names)
  }

  /**
   * Creates or replaces an RRset with exactly these records. Throws a 400 `Refusal` that names all
   * invalid records by index.
   *
   * @param checks index of each record in the request, and records that are refused already
   */
  async replace(
    intent: Intent,
    openedZone: OpenZone,
    input: RRsetInput,
    { condition, places, errors = new ActionErrors(), isSingle }: RRsetChecks = {}
  ): Promise<Outcome<{ rrset: RRset; warnings: Violation[] }>> {
    const key = await findStoredKey(this.#backend, openedZone.zone, input)
    const ttl = input.ttl ?? defaultTtl(openedZone.zone, key.type)
    const action = {
      op: 'set' as const,
      ...input,
      records: withOwnTyped(input.records),
      ttl,
      condition,
    }
    const terms = errors.isEmpty ? intent : { ...intent, dryRun: true, planHash: null }
    const outcome = await this.#submit(terms, openedZone, action).catch((error: unknown) =>
      refuseRecords({ errors, places, isSingle }, error)
    )
    if (!errors.isEmpty) refuseRecords({ errors, isSingle })
    return mapOutcome(outcome, async ({ changes, warnings }) => {
      const change = changes.find(({ name, type }) => name === key.name && type === key.type)
      // Without a change, the stored RRset is the result.
      const rrset = change?.after ?? (await this.find(openedZone, input))
      return { rrset, warnings }
    })
  }

  /** Deletes an RRset. Throws a 404 `Refusal` if it does not exist. */
  async delete(
    intent: Intent,
    openedZone: OpenZone,
    key: RRsetKey,
    condition?: Condition
  ): Promise<Outcome<void>> {
    const outcome = await this.#submit(intent, openedZone, { op: 'clear', ...key, condition })
    // A dry run gives the same answer as the deletion.
    const zones = outcome.kind === 'planned' ? outcome.plan.zones : null
    if (zones?.every(({ changes }) => changes.length === 0)) {
      throw missing()
    }
    return mapOutcome(outcome, ({ changes }) => {
      if (changes.length === 0) throw missing()
    })
  }

  #submit(intent: Intent, { zone }: OpenZone, action: RecordAction): Promise<Outcome<AppliedZone>> {
    const edit = { op: 'edit' as const, zoneId: zone.id, actions: [action] }
    const set = { intent, origin: null, zones: [edit] }
    return mapOutcome(submitChangeSet(this.#backend, set), ([applied]) => applied)
  }
}

/**
 * Throws the refusals of the records of one RRset, with a list if the request has several records. An
 * error that is not about records is thrown unchanged, unless records are refused already.
 */
export function refuseRecords(
  { errors = new ActionErrors(), places, isSingle = false }: RRsetChecks,
  error?: unknown
): never {
  const reason = error instanceof ActionRefused ? error.reason : error
  if (isSingle && errors.isEmpty && error !== undefined) throw error
  if (reason instanceof InvalidRecords) {
    for (const [index, wrong] of reason.wrong) errors.add(places?.[index] ?? index, wrong)
  } else if (isOfRecord(reason) && places?.length === 1) {
    errors.add(places[0], reason)
  } else if (error !== undefined && (errors.isEmpty || !isExpected(error))) {
    throw error
  }
  try {
    errors.throwIfAny()
  } catch (first) {
    if (!(first instanceof ActionRefused)) throw first
    if (isSingle) throw first.reason
    const texts = first.all.map(({ action, message }) => `Record ${action}: ${message}`)
    const message = itemMessages(first.all) ?? first.message
    throw new Refusal(first.status, message, { errors: texts }).because(first)
  }
  throw error
}

/** Whether the error is about a record of the request, not about the RRset. */
function isOfRecord(error: unknown): error is InvalidDns {
  return error instanceof InvalidDns && ['content', 'priority'].includes(error.field)
}

function missing() {
  return notFound('RRSet not found')
}
