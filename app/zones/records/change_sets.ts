import { runYielding } from '#database/event_loop'
import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { AccessDenied, demand } from '#access/demand'
import { factsOf } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type {
  Condition,
  ListedEdit,
  RecordAction,
  RemovedItem,
  RRsetItem,
} from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import {
  ActionErrors,
  ActionRefused,
  RRsetActionRefused,
  actionSteps,
} from '#changes/model/action_error'
import type { Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { InvalidDns } from '#dns/errors'
import { absoluteName, foldCase, isWithin } from '#dns/names'
import { typed } from '#dns/names/short_targets'
import { invalid, notFound } from '#exceptions/refusal'
import { zonesAbove } from '#changes/zone_index/closest_zone'
import { defaultTtl } from '#zones/records/records'

/** One validated action on the RRset of an absolute name. */
export interface ChangeAction {
  op: 'add' | 'set' | 'remove' | 'clear'
  /** Absolute; the final dot is optional. */
  name: string
  type: string
  /** Seconds. Default: the TTL of the existing RRset, or the default TTL. */
  ttl?: number
  records?: RRsetItem[]
  /** Records for `remove`, instead of `records`. */
  removed?: RemovedItem[]
  condition?: Condition
  /** Default: the closest zone that contains the name and is visible to the caller. */
  zoneId?: number
}

/** Change sets on one or several zones; actions use absolute names. */
@inject()
export class ChangeSets {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Applies all actions in one transaction. Throws a `RRsetActionRefused` with up to 100 refused
   * actions.
   */
  async submit(intent: Intent, actions: ChangeAction[]): Promise<Outcome<AppliedZone[]>> {
    const targets = await this.#targetsOf(intent.actor, actions).catch(withActionNumber(actions))
    const edits = new Map<number, ListedEdit & { indexes: number[] }>()
    actions.forEach((action, index) => {
      const { zone, name } = targets[index]
      const edit = edits.get(zone.id) ?? { op: 'edit', zoneId: zone.id, actions: [], indexes: [] }
      const converted = recordActions(zone, { ...action, name })
      edit.actions.push(...converted)
      edit.indexes.push(...converted.map(() => index))
      edits.set(zone.id, edit)
    })
    try {
      const zonesToEdit = [...edits.values()].map(({ indexes: _, ...edit }) => edit)
      const set = { intent, origin: null, zones: zonesToEdit }
      return await submitChangeSet(this.#backend, set)
    } catch (error) {
      const edit = error instanceof ActionRefused ? edits.get(error.zoneId ?? 0) : undefined
      return withActionNumber(actions)(
        edit && error instanceof ActionRefused ? inRequest(error, edit.indexes) : error
      )
    }
  }

  /** Returns the zone and the canonical name of each action. */
  async #targetsOf(actor: Actor, actions: ChangeAction[]): Promise<ActionTarget[]> {
    const names = await runYielding(actionSteps(actions, ({ op, name }) => targetName(op, name)))
    const unplaced = names.filter((_, index) => actions[index].zoneId === undefined)
    const candidates = await zonesAbove(this.#backend, unplaced)
    const known = new Map<number, Promise<BackendZone | null>>()
    const denials = new Map<number, AccessDenied>()
    const visible = (id: number) => {
      const zone = known.get(id) ?? this.#visible(actor, id, denials)
      known.set(id, zone)
      return zone
    }
    const targetOf = async (
      { zoneId, type }: ChangeAction,
      name: string
    ): Promise<ActionTarget> => {
      if (zoneId !== undefined) {
        demand(actor, { action: 'key.reach', zoneId })
      }
      const ids = zoneId === undefined ? (candidates.get(name) ?? []) : [zoneId]
      const found: BackendZone[] = []
      for (const id of ids) {
        const candidate = await visible(id)
        if (candidate) found.push(candidate)
      }
      // A DS RRset belongs to the parent zone, at the name of the child (RFC 4035, 2.4).
      const isParentSide = type.toUpperCase() === 'DS'
      const zone = found.find((candidate) => !isParentSide || candidate.name !== name) ?? found[0]
      if (!zone) {
        throw zoneId === undefined
          ? notFound(`There is no zone for '${name}'`)
          : (denials.get(zoneId) ?? notFound('Zone not found'))
      }
      if (!isWithin(name, zone.name)) {
        throw invalid(`Field 'name' must lie in the zone '${zone.name}', found "${name}"`)
      }
      return { zone, name }
    }
    const errors = new ActionErrors()
    const targets: ActionTarget[] = []
    for (const [index, name] of names.entries()) {
      try {
        targets.push(await targetOf(actions[index], name))
      } catch (error) {
        errors.add(index, error)
        if (errors.isFull) break
      }
    }
    errors.throwIfAny()
    return targets
  }

  /**
   * Returns the zone, or null if it is missing, hidden or outside of the key's restriction. Adds
   * the denial of a hidden zone to `denials`.
   */
  async #visible(
    actor: Actor,
    id: number,
    denials: Map<number, AccessDenied>
  ): Promise<BackendZone | null> {
    const zone = await this.#backend.findZone(id)
    if (!zone) {
      return null
    }
    const request = { action: 'zone.view' as const, zone: await factsOf(zone) }
    const decision = authorize(actor, request)
    if (decision.hidden) {
      denials.set(id, new AccessDenied(actor, request, decision))
    }
    const reach = authorize(actor, { action: 'key.reach', zoneId: id, zoneName: zone.name })
    return decision.hidden || !reach.allowed ? null : zone
  }
}

/** Zone and name of an action. */
interface ActionTarget {
  zone: BackendZone
  /** Canonical, absolute. */
  name: string
}

/**
 * The absolute name of an action. Only actions on stored RRsets may have a name that no DNS name
 * is: the plan refuses it where nothing is stored at it.
 */
export function targetName(op: ChangeAction['op'], name: string): string {
  try {
    return absoluteName(name)
  } catch (error) {
    if (!(error instanceof InvalidDns) || op === 'add' || !name.includes('.')) throw error
    return foldCase(name.replace(/\.$/, ''))
  }
}

/** Adds the number of the refused action to the message. */
function withActionNumber(actions: ChangeAction[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ActionRefused)) {
      throw error
    }
    const textOf = (refused: ActionRefused) => {
      const { op, name, type } = actions[refused.action]
      return `${`Action ${refused.action} (${op} ${name} ${type})`.slice(0, 300)}: ${refused.message}`
    }
    const { name, type } = actions[error.action]
    const rrsetKey = { name, type }
    const data = { ...error.data, errors: error.all.map(textOf) }
    const text = textOf(error)
    throw new RRsetActionRefused(error.status, text, rrsetKey, error.message, data).because(error)
  }
}

/** Maps refusals to the indexes of the request. Each action gets one refusal. */
function inRequest(error: ActionRefused, indexes: number[]): ActionRefused {
  const byIndex = new Map<number, ActionRefused>()
  for (const refused of error.all) {
    const index = indexes[refused.action]
    if (!byIndex.has(index)) byIndex.set(index, new ActionRefused(index, refused))
  }
  const [first, ...others] = byIndex.values()
  first.others = others
  return first
}

/** Entries with a content. */
function filledItems<Item extends { content: string }>(items: readonly Item[]): Item[] {
  return items.filter(({ content }) => content !== '')
}

/** Converts an action with a canonical name. */
export function recordActions(zone: BackendZone, action: ChangeAction): RecordAction[] {
  const { op, type, condition } = action
  const records = typed(action.records ?? [])
  const removed = typed(action.removed ?? [])
  const name = `${action.name}.`
  const ttl = action.ttl ?? defaultTtl(zone, type)
  const keepTtl = action.ttl === undefined
  switch (op) {
    case 'add':
      return filledItems(records).map((item) => ({
        op,
        record: { name, type, ttl, ...item },
        keepTtl,
        condition,
      }))
    case 'set':
      return [{ op, name, type, ttl, records, keepTtl, condition }]
    case 'remove':
      return [{ op, name, type, records: removed, condition }]
    case 'clear':
      return [{ op, name, type, condition }]
  }
}
