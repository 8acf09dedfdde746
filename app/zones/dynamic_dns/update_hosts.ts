import { inject } from '@adonisjs/core'
import { APPROVAL_NEEDED } from '#access/approval'
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
  type AddressWishes,
  type Family,
} from '#zones/dynamic_dns/addresses'
import { placeOfHost } from '#zones/dynamic_dns/host_lookup'

/** What is wished of one host. */
export interface HostUpdate {
  /** Canonical. */
  hostname: string
  wishes: AddressWishes
}

/** What became of it. */
export interface HostOutcome {
  hostname: string
  zone: NamedZone
  /** The addresses that were wished for, by family; none where nothing was wished of it. */
  applied: Record<Family, string[]>
  /** The families of which something was wished. */
  families: Family[]
  changed: boolean
}

/** The outcome of one host among several, or why there is none: what was thrown. */
export type HostResult = { outcome: HostOutcome } | { error: unknown }

/** What an update comes to, as far as reading tells. */
interface Prepared extends HostOutcome {
  actions: RecordAction[]
}

const FAMILIES: Family[] = ['A', 'AAAA']
const NEEDED = ['create', 'update'] as const

/** So often an update that depends on what is there is worked out anew because somebody else wrote meanwhile. */
const ATTEMPTS = 5

/** 409: nothing is there, and nothing is wished that could be. */
export class NothingToUpdate extends Refusal {
  constructor(hostname: string) {
    super(409, `There is nothing to update: '${hostname}' has no address to go on from`)
  }
}

/** Updates the addresses of hosts: both channels of dynamic DNS. */
@inject()
export class DynamicDns {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Updates one host. An update that changes nothing is answered from what is read, and writes nothing.
   *
   * Throws a 404 `Refusal` for a host in no zone of the actor's, a 403 for what they or their key may not do, a 409
   * where there is nothing to do, and whatever a change set throws.
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
   * Updates several hosts, in one change where that is possible: one that cannot be updated keeps no other from it.
   *
   * @param admit asked for each host that would change; throws where it may not
   */
  async updateEach(
    intent: Intent,
    updates: HostUpdate[],
    admit: (hostname: string) => Promise<void>
  ): Promise<HostResult[]> {
    const results: HostResult[] = []
    const changing: { index: number; prepared: Prepared }[] = []
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

  async #prepare({ actor }: Intent, { hostname, wishes }: HostUpdate): Promise<Prepared> {
    demand(actor, { action: 'dyndns.use' })
    const { zone, stored } = await placeOfHost(this.#backend, actor, hostname)
    demand(actor, { action: 'key.operate', operations: [...NEEDED] })
    const asStored = stored && stepOn(hostname, wishes, stored)
    if (asStored?.isAnything && !asStored.changed) {
      return { hostname, zone, ...asStored }
    }
    const step = stepOn(hostname, wishes, await this.#backend.rrsetsAt(zone, [hostname]))
    if (!step.isAnything) {
      const write = { action: 'rrset.write' as const, zone, name: hostname }
      const isReviewed = step.families.some((type) => authorize(actor, { ...write, type }).review)
      throw isReviewed ? forbidden(APPROVAL_NEEDED) : new NothingToUpdate(hostname)
    }
    return { hostname, zone, ...step }
  }

  async #submit(intent: Intent, updates: Prepared[]): Promise<Outcome<unknown>> {
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

/** What the wishes come to where these RRsets are there; nothing at all, where nothing is there or wished for. */
function stepOn(
  hostname: string,
  wishes: AddressWishes,
  sets: RRset[]
): Omit<Prepared, 'hostname' | 'zone'> & { isAnything: boolean } {
  const applied: HostOutcome['applied'] = { A: [], AAAA: [] }
  const actions: RecordAction[] = []
  const families: Family[] = []
  let isAnything = false
  for (const type of FAMILIES) {
    const current = sets.find((set) => set.type === type)
    const wanted = wantedAddresses(wishes[type], current)
    if (wanted) {
      isAnything ||= wanted.length > 0 || current !== undefined
      applied[type] = wanted
      families.push(type)
      if (!holdsExactly(current, wanted)) {
        actions.push(actionFor(hostname, type, wanted, current, wishes[type].kind === 'prefix'))
      }
    }
  }
  return { applied, families, actions, changed: actions.length > 0, isAnything }
}

/** Makes the RRset exactly these addresses; what was worked out from those that are there has a condition. */
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

/** Whether it says why some of the hosts are not updated, perhaps not all, and nothing was changed. */
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
