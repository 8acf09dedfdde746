import { inject } from '@adonisjs/core'
import { APPROVAL_NEEDED_MESSAGE } from '#access/approval'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import type { DnsBackend, NamedZone } from '#backends/contract/backend'
import { WriteRefused, WritesPending, ZoneGone } from '#backends/contract/errors'
import { BackendManager } from '#backends/manager'
import type { ListedEdit, RecordAction } from '#changes/model/change_set'
import { PreconditionFailed } from '#changes/planning/preconditions'
import type { Intent } from '#changes/model/intent'
import { appliedResult, mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { rrsetTag } from '#changes/model/etags'
import dyndns from '#config/dyndns'
import { InvalidDns } from '#dns/errors'
import type { RRset } from '#dns/types'
import { Refusal, forbidden } from '#exceptions/refusal'
import {
  holdsExactly,
  wantedAddresses,
  type AddressUpdates,
  type Family,
} from '#zones/dynamic_dns/addresses'
import { locateHost } from '#zones/dynamic_dns/host_lookup'

/** Update request for one host. */
export interface HostUpdate {
  /** Canonical. */
  hostname: string
  updates: AddressUpdates
}

/** Result for one host. */
export interface HostOutcome {
  hostname: string
  zone: NamedZone
  /** Requested addresses by family; empty for a family without a request. */
  applied: Record<Family, string[]>
  /** Families with a request. */
  families: Family[]
  changed: boolean
}

/** Outcome of one host, or the error that was thrown. */
export type HostResult = { outcome: HostOutcome } | { error: unknown }

/** An update after the zone was read, before the write. */
interface PreparedHost extends HostOutcome {
  actions: RecordAction[]
}

const FAMILIES: Family[] = ['A', 'AAAA']
const REQUIRED_OPERATIONS = ['create', 'update'] as const

/** Attempts of an update that depends on current addresses, when other writers interfere. */
const ATTEMPTS = 5

/** 409: the host has no addresses, and the request adds none. */
export class NothingToUpdate extends Refusal {
  constructor(hostname: string) {
    super(409, `Nothing to update: '${hostname}' has no current address`)
  }
}

/** Updates the addresses of hosts, for both channels of dynamic DNS. */
@inject()
export class DynamicDns {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Updates one host. An update without a change only reads.
   *
   * Throws a 404 `Refusal` for a host in no zone of the actor, a 403 without the right, a 409 if
   * there is nothing to update, and the errors of a change set.
   */
  async update(intent: Intent, update: HostUpdate): Promise<Outcome<HostOutcome>> {
    for (let attempt = 1; ; attempt++) {
      const prepared = await this.#prepare(intent, update)
      try {
        return await mapOutcome(this.#submit(intent, [prepared]), () => prepared)
      } catch (error) {
        if (!(error instanceof PreconditionFailed) || attempt === ATTEMPTS) {
          throw error
        }
      }
    }
  }

  /**
   * Updates several hosts, in one change set if possible. A failure of one host does not affect the
   * others.
   *
   * @param admit called for each host that would change; throws if the limit is exceeded
   */
  async updateEach(
    intent: Intent,
    updates: HostUpdate[],
    admit: (hostname: string) => Promise<void>
  ): Promise<HostResult[]> {
    const results: HostResult[] = []
    const changing: { index: number; prepared: PreparedHost }[] = []
    for (const [index, update] of updates.entries()) {
      results[index] = await resultOf(async () => {
        const prepared = await this.#prepare(intent, update)
        if (prepared.changed) {
          await admit(prepared.hostname)
          changing.push({ index, prepared })
        }
        return prepared
      })
    }
    try {
      const all = changing.map(({ prepared }) => prepared)
      await appliedResult(this.#submit(intent, all))
    } catch (error) {
      for (const { index } of changing) {
        results[index] = isOfSomeHosts(error)
          ? await resultOf(() => appliedResult(this.update(intent, updates[index])))
          : { error }
      }
    }
    return results
  }

  async #prepare({ actor }: Intent, { hostname, updates }: HostUpdate): Promise<PreparedHost> {
    demand(actor, { action: 'dyndns.use' })
    const { zone, storedSets } = await locateHost(this.#backend, actor, hostname)
    demand(actor, { action: 'key.operate', operations: [...REQUIRED_OPERATIONS] })
    const asStored = storedSets && stepOn(hostname, updates, storedSets)
    if (asStored?.isAnything && !asStored.changed) {
      return { hostname, zone, ...asStored }
    }
    const step = stepOn(hostname, updates, await this.#backend.rrsetsAt(zone, [hostname]))
    if (!step.isAnything) {
      const write = { action: 'rrset.write' as const, zone, name: hostname }
      const isReviewed = step.families.some((type) => authorize(actor, { ...write, type }).review)
      throw isReviewed ? forbidden(APPROVAL_NEEDED_MESSAGE) : new NothingToUpdate(hostname)
    }
    return { hostname, zone, ...step }
  }

  async #submit(intent: Intent, updates: PreparedHost[]): Promise<Outcome<unknown>> {
    const edits = new Map<number, ListedEdit>()
    for (const { zone, actions, changed } of updates) {
      if (changed || intent.dryRun) {
        const edit = edits.get(zone.id) ?? { op: 'edit', zoneId: zone.id, actions: [] }
        edit.actions.push(...actions)
        edits.set(zone.id, edit)
      }
    }
    return edits.size > 0
      ? submitChangeSet(this.#backend, { intent, origin: null, zones: [...edits.values()] })
      : { kind: 'applied', result: [] }
  }
}

/**
 * Applies the request to these RRsets. `isAnything` is false if there are no addresses and none are
 * requested.
 */
function stepOn(
  hostname: string,
  requested: AddressUpdates,
  sets: RRset[]
): Omit<PreparedHost, 'hostname' | 'zone'> & { isAnything: boolean } {
  const applied: HostOutcome['applied'] = { A: [], AAAA: [] }
  const actions: RecordAction[] = []
  const families: Family[] = []
  let isAnything = false
  for (const type of FAMILIES) {
    const current = sets.find((set) => set.type === type)
    const addresses = wantedAddresses(requested[type], current)
    if (addresses) {
      isAnything ||= addresses.length > 0 || current !== undefined
      applied[type] = addresses
      families.push(type)
      if (!holdsExactly(current, addresses)) {
        actions.push(
          actionFor(hostname, type, addresses, current, requested[type].kind === 'prefix')
        )
      }
    }
  }
  return { applied, families, actions, changed: actions.length > 0, isAnything }
}

/**
 * Sets the RRset to these addresses. A result that depends on current addresses has a precondition.
 */
function actionFor(
  hostname: string,
  type: Family,
  wanted: string[],
  current: RRset | undefined,
  isDerived: boolean
): RecordAction {
  const key = { name: `${hostname}.`, type }
  const condition =
    isDerived && current ? { kind: 'match' as const, tags: [rrsetTag(current)] } : undefined
  const records = wanted.map((content) => ({ content, priority: 0, disabled: false }))
  return wanted.length === 0
    ? { op: 'clear', ...key, condition }
    : { op: 'set', ...key, ttl: dyndns.ttl, records, condition }
}

/**
 * Returns whether the error concerns some of the hosts, perhaps not all, and nothing was changed.
 */
function isOfSomeHosts(error: unknown): boolean {
  const reasons = [Refusal, InvalidDns, PreconditionFailed, WriteRefused, ZoneGone, WritesPending]
  return reasons.some((reason) => error instanceof reason)
}

async function resultOf(work: () => Promise<HostOutcome>): Promise<HostResult> {
  try {
    return { outcome: await work() }
  } catch (error) {
    return { error }
  }
}
