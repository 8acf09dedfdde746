import { NotSent, WriteRefused, WriteUnconfirmed, ZoneGone } from '#backends/contract/errors'
import { zonePath } from '#backends/powerdns_api/http/address'
import { CertainCalls, type Done } from '#backends/powerdns_api/confirmed_calls'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import type { ZoneStep } from '#backends/pending_writes/steps'
import { patchBodies, respelt, setBody, type RRsetBody } from '#backends/powerdns_api/patches'
import type { ServerZones } from '#backends/powerdns_api/server_zones'
import type { ServerZone } from '#backends/mirrored/zone_server'
import type { ZonePatch } from '#backends/contract/types'
import { metadataKind, sameValues, type Metadata } from '#dns/metadata/metadata'
import { isSame, isSerialOnly, stateAmong } from '#dns/outcome'

/** Spellings of contents that one call may learn from the server. */
const MAX_SPELLINGS = 200

/** Kinds of metadata of the denial of existence. */
const DENIAL = ['NSEC3PARAM', 'NSEC3NARROW']

type MetadataStep = Extract<ZoneStep, { kind: 'metadata' }>

/**
 * Does steps of writes at the server. Their outcome is certain: a call without an answer is verified, and throws
 * `WriteUnconfirmed` if it stays unknown. Throws `WriteRefused` if the server refuses a step, and `BackendUnavailable` if it
 * was not done.
 */
export class Sender {
  readonly #calls: CertainCalls

  constructor(
    client: PowerDnsClient,
    private readonly server: ServerZones
  ) {
    this.#calls = new CertainCalls(client, server)
  }

  /** Does the step, and returns the resulting zone; null for a deleted one. */
  async carry(step: ZoneStep): Promise<ServerZone | null> {
    const { zoneName: name } = step
    const path = zonePath(name)
    let found: ServerZone | null = null
    switch (step.kind) {
      case 'create':
        await this.#create(step)
        break
      case 'records':
        found = await this.#patch(name, step)
        break
      case 'properties': {
        const { kind, masters, account } = step.after
        const body = {
          ...(kind === undefined ? {} : { kind }),
          ...(masters === undefined ? {} : { masters }),
          ...(account === undefined ? {} : { account: account ?? '' }),
        }
        await this.#calls.make('PUT', path, body, name, (zone) => {
          return zone !== null && hasProperties(zone, step.after)
        })
        break
      }
      case 'metadata':
        await this.#metadata(step)
        return null
      case 'keys':
        for (const { flags, active, published, content } of step.keys) {
          const keytype = (flags & 1) === 1 ? 'ksk' : 'zsk'
          const body = { keytype, active, published, content }
          await this.#calls.make('POST', `${path}/cryptokeys`, body, name, null, { isKey: true })
        }
        return null
      case 'rectify':
        // No answer about the zone shows whether it was done.
        await this.#calls.make('PUT', `${path}/rectify`, undefined, name, null)
        return null
      case 'delete':
        await this.#calls.make('DELETE', path, undefined, name, (zone) => zone === null)
        return null
    }
    found ??= await this.#calls.verified(name)
    if (!found) {
      throw new WriteUnconfirmed('The zone is missing right after the write')
    }
    return found
  }

  /** Reverses a step, as `carry` does one. */
  async undo(step: ZoneStep): Promise<void> {
    const { zoneId, zoneName } = step
    const of = { zoneId, zoneName }
    switch (step.kind) {
      case 'create':
        await this.carry({ ...of, kind: 'delete' })
        break
      case 'records': {
        const changes = step.changes.map((change) => ({
          ...change,
          before: change.after,
          after: change.before,
        }))
        await this.carry({ ...of, kind: 'records', changes, movesSerial: step.movesSerial })
        break
      }
      case 'properties':
        await this.carry({ ...of, kind: 'properties', before: step.after, after: step.before })
        break
      case 'metadata':
        await this.carry({ ...of, kind: 'metadata', before: step.after, after: step.before })
        break
      case 'rectify':
      case 'keys':
        // The keys belong to a zone that this write created, and are deleted with it.
        break
      default:
        throw new WriteUnconfirmed('The completed steps cannot be reversed')
    }
  }

  /** After a later part of a step failed: reverses the earlier parts, and rethrows the error. A deleted zone needs nothing. */
  async #undoParts(error: unknown, undo: false | (() => Promise<void>)): Promise<never> {
    if (undo && !(error instanceof WriteUnconfirmed || error instanceof ZoneGone)) {
      try {
        await undo()
      } catch (cause) {
        throw new WriteUnconfirmed('A part of a step was applied and could not be reversed', {
          cause,
        })
      }
    }
    throw error
  }

  async #create(step: Extract<ZoneStep, { kind: 'create' }>): Promise<void> {
    const { zone, sets } = step
    const comments = zone.revival?.comments ?? []
    const bodies = patchBodies(sets.map((set) => setBody(set, comments)))
    const body = {
      name: `${zone.name}.`,
      kind: zone.kind,
      masters: zone.masters,
      account: zone.account ?? '',
      nameservers: [],
      // With a policy, the server would change the first serial.
      soa_edit_api: '',
      rrsets: bodies[0] ?? [],
    }
    const isThere: Done = (found) =>
      found !== null && sets.every((set) => found.rrsets.some((other) => isSame(set, other)))
    await this.#calls.demandTaken([body, ...bodies.slice(1).map(inCall)])
    await this.#taught(bodies[0] ?? [], (rrsets) =>
      this.#calls.make('POST', '/zones', { ...body, rrsets }, zone.name, isThere)
    )
    for (const rest of bodies.slice(1)) {
      await this.#taught(rest, (rrsets) =>
        this.#calls.make('PATCH', zonePath(zone.name), { rrsets }, zone.name, isThere)
      ).catch((error: unknown) => this.#undoParts(error, () => this.undo(step)))
    }
  }

  async #patch(
    name: string,
    step: Extract<ZoneStep, { kind: 'records' }>
  ): Promise<ServerZone | null> {
    const { changes, movesSerial } = step
    // What ends goes first: it may stand in the way of what comes.
    const inOrder = [...changes].sort((a, b) => Number(a.after !== null) - Number(b.after !== null))
    const sets = inOrder.map(({ after, ...key }) =>
      after
        ? setBody(after)
        : { name: `${key.name}.`, type: key.type, changetype: 'DELETE' as const }
    )
    // An empty one lets the server move the serial.
    const bodies = sets.length === 0 && movesSerial ? [[]] : patchBodies(sets)
    const telling = changes.filter((change) => !isSerialOnly(change))
    const isDone: Done = (found) =>
      found !== null && telling.length > 0 && stateAmong(telling, found.rrsets) === 'after'
    await this.#calls.demandTaken(bodies.map(inCall))
    let isRespelt = false
    const made = new Set<string>()
    for (const part of bodies) {
      const send = (rrsets: RRsetBody[]) =>
        this.#calls.make('PATCH', zonePath(name), { rrsets }, name, isDone)
      const isTaught = await this.#taught(part, send).catch((error: unknown) => {
        const half = changes.filter((change) => made.has(`${change.name}. ${change.type}`))
        return this.#undoParts(
          error,
          half.length > 0 && (() => this.undo({ ...step, changes: half }))
        )
      })
      isRespelt ||= isTaught
      part.forEach((set) => made.add(`${set.name} ${set.type}`))
    }
    const found = await this.#calls.verified(name)
    // Contents that the server spells differently may equal the former ones.
    if (found && !isRespelt && telling.length > 0) {
      if (stateAmong(telling, found.rrsets) === 'before') {
        throw new WriteUnconfirmed('The server accepted the change, but does not show it')
      }
    }
    return found
  }

  /** Writes the kinds one by one, and reverses them if a later one fails. */
  async #metadata(step: MetadataStep): Promise<void> {
    const denial = await this.#denial(step)
    const kinds = Object.keys(step.after).filter((kind) => !DENIAL.includes(kind))
    const writes = [
      ...(denial ? [() => this.#property(step.zoneName, denial)] : []),
      ...kinds.map((kind) => () => this.#kind(step.zoneName, kind, step.after[kind])),
    ]
    for (const [index, write] of writes.entries()) {
      await write().catch((error: unknown) => {
        const isNothing = index === 0 && (error instanceof WriteRefused || error instanceof NotSent)
        return this.#undoParts(error, !isNothing && (() => this.#undoWritten(step)))
      })
    }
  }

  /**
   * The denial of existence, if the step changes it. The server reads the second kind only together with the first, and treats
   * it as deleted otherwise.
   */
  async #denial({ zoneName, after }: MetadataStep): Promise<object | null> {
    if (!DENIAL.some((kind) => Object.hasOwn(after, kind))) {
      return null
    }
    const known = await this.server.metadata(zoneName)
    const { NSEC3PARAM: [param = ''] = [], NSEC3NARROW: [narrow] = [] } = { ...known, ...after }
    return { nsec3param: param, nsec3narrow: narrow === '1' }
  }

  #property(name: string, body: object): Promise<void> {
    return this.#calls.make('PUT', zonePath(name), body, name, null)
  }

  /** Reverses the kinds that changed: a call that failed at the server may have been done. */
  async #undoWritten({ before, after, ...step }: MetadataStep): Promise<void> {
    const found = (await this.server.metadata(step.zoneName)) ?? {}
    const written = Object.keys(after).filter(
      (kind) => !sameValues(found[kind] ?? [], before[kind] ?? [])
    )
    const among = (of: Metadata) =>
      Object.fromEntries(written.map((kind) => [kind, of[kind] ?? []]))
    if (written.length > 0) {
      await this.carry({ ...step, before: among(after), after: among(before) })
    }
  }

  async #kind(name: string, kind: string, values: string[]): Promise<void> {
    const { overApi } = metadataKind(kind)
    if (overApi === 'none') {
      throw new WriteRefused(`the PowerDNS API cannot write ${kind}`)
    }
    if (overApi === 'zone') {
      await this.#property(name, zoneProperty(kind, values))
    } else if (values.length > 0) {
      const body = { kind, metadata: values }
      await this.#calls.make('PUT', `${zonePath(name)}/metadata/${kind}`, body, name, null)
    } else {
      await this.#end(`${zonePath(name)}/metadata/${kind}`, name)
    }
  }

  /** Deletes a kind of metadata, if it exists. */
  async #end(path: string, name: string): Promise<void> {
    try {
      await this.#calls.make('DELETE', path, undefined, name, null)
    } catch (error) {
      if (!(error instanceof ZoneGone)) {
        throw error
      }
    }
  }

  /** Sends RRsets, and repeats them if the server reports its spelling of a content. Returns whether it did. */
  async #taught(sets: RRsetBody[], send: (sets: RRsetBody[]) => Promise<void>): Promise<boolean> {
    for (let current = sets, left = MAX_SPELLINGS; ; left--) {
      try {
        await send(current)
        return current !== sets
      } catch (error) {
        const better =
          left > 0 && error instanceof WriteRefused ? respelt(current, error.message) : null
        if (!better) {
          throw error
        }
        current = better
      }
    }
  }
}

function inCall(rrsets: RRsetBody[]): object {
  return { rrsets }
}

/** Whether a zone has these properties; one that is not named may be any. */
function hasProperties(zone: ServerZone, { kind, masters, account }: ZonePatch): boolean {
  return (
    (kind === undefined || zone.kind === kind) &&
    (masters === undefined || zone.masters.join() === masters.join()) &&
    (account === undefined || (zone.account ?? '') === (account ?? ''))
  )
}

/** The property of a zone that a kind of metadata is. */
function zoneProperty(kind: string, [value = '']: string[]): object {
  const member = kind.toLowerCase().replaceAll('-', '_')
  return { [member]: kind === 'API-RECTIFY' ? value === '1' : value }
}
