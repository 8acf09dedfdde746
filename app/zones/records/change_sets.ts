import { runYielding } from '#database/event_loop'
import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { AccessDenied, demand } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
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
  MAX_ACTION_ERRORS,
  RRsetActionRefused,
  collectSteps,
  itemMessages,
  type ItemPosition,
} from '#changes/model/action_error'
import type { Outcome } from '#changes/model/outcome'
import { submitOrRefuse } from '#changes/submit'
import { InvalidDns } from '#dns/errors'
import { absoluteName, foldCase, isWithin } from '#dns/names'
import { withOwnTyped } from '#dns/names/short_targets'
import { invalid, notFound } from '#exceptions/refusal'
import { findZonesAbove } from '#changes/zone_index/closest_zone'
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
  /** Index in the request of each record; absent if all records of the request are here. */
  places?: number[]
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
   *
   * @param errors actions that are refused already, by index. They have no valid members
   */
  async submit(
    intent: Intent,
    actions: ChangeAction[],
    errors = new ActionErrors()
  ): Promise<Outcome<AppliedZone[]>> {
    try {
      const targets = await this.#resolveTargets(intent.actor, actions, errors)
      const edits = new Map<number, ListedEdit & { places: ItemPosition[] }>()
      for (const [index, { zone, name }] of targets) {
        const edit = edits.get(zone.id) ?? { op: 'edit', zoneId: zone.id, actions: [], places: [] }
        const converted = recordActions(zone, { ...actions[index], name })
        edit.actions.push(...converted)
        const isOne = converted.length === 1
        edit.places.push(...converted.map((_, at) => ({ item: index, record: isOne ? null : at })))
        edits.set(zone.id, edit)
      }
      const zones = [...edits.values()].map(({ places: _, ...edit }) => edit)
      if (zones.length === 0) errors.throwIfAny()
      return await submitOrRefuse(this.#backend, errors, {
        set: { intent, origin: null, zones },
        positionOf: ({ zoneId, action }) => edits.get(zoneId ?? 0)?.places[action],
      })
    } catch (error) {
      return withActionNumber(actions)(error)
    }
  }

  /** Returns the zone and the canonical name of each action that is not refused. */
  async #resolveTargets(
    actor: Actor,
    actions: ChangeAction[],
    errors: ActionErrors
  ): Promise<Map<number, ActionTarget>> {
    const words = await runYielding(
      collectSteps(actions, errors, ({ op, name }) => targetName(op, name))
    )
    const names = [...words.entries()].filter(
      (entry): entry is [number, string] => entry[1] !== undefined
    )
    const unplaced = names.filter(([index]) => actions[index].zoneId === undefined)
    const candidates = await findZonesAbove(
      this.#backend,
      unplaced.map(([, name]) => name)
    )
    const zoneRequests = new Map<number, Promise<BackendZone | null>>()
    const denials = new Map<number, AccessDenied>()
    const visible = (id: number) => {
      const zone = zoneRequests.get(id) ?? this.#findVisible(actor, id, denials)
      zoneRequests.set(id, zone)
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
      const zones: BackendZone[] = []
      for (const id of ids) {
        const candidate = await visible(id)
        if (candidate) zones.push(candidate)
      }
      // A DS RRset belongs to the parent zone, at the name of the child (RFC 4035, 2.4).
      const isParentSide = type.toUpperCase() === 'DS'
      const zone = zones.find((candidate) => !isParentSide || candidate.name !== name) ?? zones[0]
      if (!zone) {
        throw zoneId === undefined
          ? notFound(`There is no zone for '${name}'`)
          : (denials.get(zoneId) ?? notFound('Zone not found'))
      }
      if (!isWithin(name, zone.name)) {
        throw invalid(`Field 'name' must be in the zone '${zone.name}', found "${name}"`)
      }
      return { zone, name }
    }
    const targets = new Map<number, ActionTarget>()
    for (const [index, name] of names) {
      if (errors.isFull) break
      try {
        targets.set(index, await targetOf(actions[index], name))
      } catch (error) {
        errors.add(index, error)
      }
    }
    return targets
  }

  /**
   * Returns the zone, or null if it is missing, hidden or outside the key's restriction. Adds
   * the denial of a hidden zone to `denials`.
   */
  async #findVisible(
    actor: Actor,
    id: number,
    denials: Map<number, AccessDenied>
  ): Promise<BackendZone | null> {
    const zone = await this.#backend.findZone(id)
    if (!zone) {
      return null
    }
    const request = { action: 'zone.view' as const, zone: await loadZoneFacts(zone) }
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
    const textsOf = (refused: ActionRefused) => {
      const { op, name, type, places } = actions[refused.action]
      const action = `Action ${refused.action} (${op} ${name} ${type})`.slice(0, 300)
      return refused.messages(places).map((message) => `${action}: ${message}`)
    }
    const { name, type } = actions[error.action]
    const rrsetKey = { name, type }
    const data = { ...error.data, errors: error.all.flatMap(textsOf).slice(0, MAX_ACTION_ERRORS) }
    const text = itemMessages(error.all) ?? textsOf(error)[0]
    throw new RRsetActionRefused(error.status, text, rrsetKey, error.message, data).because(error)
  }
}

/** Entries with a content. */
function filledItems<Item extends { content: string }>(items: readonly Item[]): Item[] {
  return items.filter(({ content }) => content !== '')
}

/** Converts an action with a canonical name. */
export function recordActions(zone: BackendZone, action: ChangeAction): RecordAction[] {
  const { op, type, condition } = action
  const records = withOwnTyped(action.records ?? [])
  const removed = withOwnTyped(action.removed ?? [])
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
