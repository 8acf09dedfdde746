import { NotSent, WriteRefused, WriteUnconfirmed, ZoneGone } from '#backends/contract/errors'
import { zonePath } from '#backends/powerdns_api/http/address'
import { ConfirmedCalls, type DoneCheck } from '#backends/powerdns_api/confirmed_calls'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import type { ZoneStep } from '#backends/pending_writes/steps'
import { patchBodies, respellSets, rrsetBody, type RRsetBody } from '#backends/powerdns_api/patches'
import type { ServerZones } from '#backends/powerdns_api/server_zones'
import type { ServerZone } from '#backends/mirrored/zone_server'
import type { ZonePatch } from '#backends/contract/types'
import { metadataKind, sameValues, type Metadata } from '#dns/metadata/metadata'
import { isSame, isSerialOnly, stateAmong } from '#dns/outcome'

/** Spellings of contents that one call may learn from the server. */
const MAX_SPELLINGS = 200

/** Kinds of metadata of the denial of existence. */
const DENIAL_KINDS = ['NSEC3PARAM', 'NSEC3NARROW']

type MetadataStep = Extract<ZoneStep, { kind: 'metadata' }>

/**
 * Executes steps of writes at the server. The outcome is verified after a call without an answer; `WriteUnconfirmed` if
 * it stays unknown. Throws `WriteRefused` if the server refuses a step, and `BackendUnavailable` if it was not
 * executed.
 */
export class StepExecutor {
  readonly #calls: ConfirmedCalls

  constructor(
    client: PowerDnsClient,
    private readonly server: ServerZones
  ) {
    this.#calls = new ConfirmedCalls(client, server)
  }

  /** Executes the step, and returns the resulting zone; null for a deleted one. */
  async executeStep(step: ZoneStep): Promise<ServerZone | null> {
    const { zoneName: name } = step
    const path = zonePath(name)
    let found: ServerZone | null = null
    switch (step.kind) {
      case 'create':
        await this.#create(step)
        break
      case 'records':
        found = await this.#patchRecords(name, step)
        break
      case 'properties': {
        const { kind, masters, account } = step.after
        const body = {
          ...(kind === undefined ? {} : { kind }),
          ...(masters === undefined ? {} : { masters }),
          ...(account === undefined ? {} : { account: account ?? '' }),
        }
        await this.#calls.send('PUT', path, body, name, (zone) => {
          return zone !== null && hasProperties(zone, step.after)
        })
        break
      }
      case 'metadata':
        await this.#writeMetadata(step)
        return null
      case 'keys':
        for (const { flags, active, published, content } of step.keys) {
          const keytype = (flags & 1) === 1 ? 'ksk' : 'zsk'
          const body = { keytype, active, published, content }
          await this.#calls.send('POST', `${path}/cryptokeys`, body, name, null, { isKey: true })
        }
        return null
      case 'rectify':
        // The zone does not show whether the key was added.
        await this.#calls.send('PUT', `${path}/rectify`, undefined, name, null)
        return null
      case 'delete':
        await this.#calls.send('DELETE', path, undefined, name, (zone) => zone === null)
        return null
    }
    found ??= await this.#calls.readChangedZone(name)
    if (!found) {
      throw new WriteUnconfirmed('The zone is missing right after the write')
    }
    return found
  }

  /** Reverses a step. Same errors as `executeStep`. */
  async undo(step: ZoneStep): Promise<void> {
    const { zoneId, zoneName } = step
    const stepZone = { zoneId, zoneName }
    switch (step.kind) {
      case 'create':
        await this.executeStep({ ...stepZone, kind: 'delete' })
        break
      case 'records': {
        const changes = step.changes.map((change) => ({
          ...change,
          before: change.after,
          after: change.before,
        }))
        await this.executeStep({
          ...stepZone,
          kind: 'records',
          changes,
          movesSerial: step.movesSerial,
        })
        break
      }
      case 'properties':
        await this.executeStep({
          ...stepZone,
          kind: 'properties',
          before: step.after,
          after: step.before,
        })
        break
      case 'metadata':
        await this.executeStep({
          ...stepZone,
          kind: 'metadata',
          before: step.after,
          after: step.before,
        })
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
    const comments = zone.restored?.comments ?? []
    const bodies = patchBodies(sets.map((set) => rrsetBody(set, comments)))
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
    const isCreated: DoneCheck = (found) =>
      found !== null && sets.every((set) => found.rrsets.some((other) => isSame(set, other)))
    await this.#calls.checkBodySizes([body, ...bodies.slice(1).map(patchBody)])
    await this.#sendWithServerSpelling(bodies[0] ?? [], (rrsets) =>
      this.#calls.send('POST', '/zones', { ...body, rrsets }, zone.name, isCreated)
    )
    for (const laterBody of bodies.slice(1)) {
      await this.#sendWithServerSpelling(laterBody, (rrsets) =>
        this.#calls.send('PATCH', zonePath(zone.name), { rrsets }, zone.name, isCreated)
      ).catch((error: unknown) => this.#undoParts(error, () => this.undo(step)))
    }
  }

  async #patchRecords(
    name: string,
    step: Extract<ZoneStep, { kind: 'records' }>
  ): Promise<ServerZone | null> {
    const { changes, movesSerial } = step
    // Deletions first: they may conflict with additions.
    const deletionsFirst = [...changes].sort(
      (a, b) => Number(a.after !== null) - Number(b.after !== null)
    )
    const sets = deletionsFirst.map(({ after, ...key }) =>
      after
        ? rrsetBody(after)
        : { name: `${key.name}.`, type: key.type, changetype: 'DELETE' as const }
    )
    // An empty body makes the server change the serial.
    const bodies = sets.length === 0 && movesSerial ? [[]] : patchBodies(sets)
    const verifiableChanges = changes.filter((change) => !isSerialOnly(change))
    const isDone: DoneCheck = (found) =>
      found !== null &&
      verifiableChanges.length > 0 &&
      stateAmong(verifiableChanges, found.rrsets) === 'after'
    await this.#calls.checkBodySizes(bodies.map(patchBody))
    let isRespelt = false
    const sentSets = new Set<string>()
    for (const part of bodies) {
      const send = (rrsets: RRsetBody[]) =>
        this.#calls.send('PATCH', zonePath(name), { rrsets }, name, isDone)
      const hasServerSpelling = await this.#sendWithServerSpelling(part, send).catch(
        (error: unknown) => {
          const doneChanges = changes.filter((change) =>
            sentSets.has(`${change.name}. ${change.type}`)
          )
          return this.#undoParts(
            error,
            doneChanges.length > 0 && (() => this.undo({ ...step, changes: doneChanges }))
          )
        }
      )
      isRespelt ||= hasServerSpelling
      part.forEach((set) => sentSets.add(`${set.name} ${set.type}`))
    }
    const found = await this.#calls.readChangedZone(name)
    // Contents that the server spells differently may equal the former ones.
    if (found && !isRespelt && verifiableChanges.length > 0) {
      if (stateAmong(verifiableChanges, found.rrsets) === 'before') {
        throw new WriteUnconfirmed('The server accepted the change, but does not show it')
      }
    }
    return found
  }

  /** Writes the kinds one by one, and reverses them if a later one fails. */
  async #writeMetadata(step: MetadataStep): Promise<void> {
    const denial = await this.#denialProperties(step)
    const kinds = Object.keys(step.after).filter((kind) => !DENIAL_KINDS.includes(kind))
    const writes = [
      ...(denial ? [() => this.#writeProperty(step.zoneName, denial)] : []),
      ...kinds.map((kind) => () => this.#writeKind(step.zoneName, kind, step.after[kind])),
    ]
    for (const [index, write] of writes.entries()) {
      await write().catch((error: unknown) => {
        const isNotExecuted =
          index === 0 && (error instanceof WriteRefused || error instanceof NotSent)
        return this.#undoParts(error, !isNotExecuted && (() => this.#undoWritten(step)))
      })
    }
  }

  /**
   * The denial of existence, if the step changes it. The server reads the second kind only together with the first, and treats
   * it as deleted otherwise.
   */
  async #denialProperties({ zoneName, after }: MetadataStep): Promise<object | null> {
    if (!DENIAL_KINDS.some((kind) => Object.hasOwn(after, kind))) {
      return null
    }
    const known = await this.server.metadata(zoneName)
    const { NSEC3PARAM: [param = ''] = [], NSEC3NARROW: [narrow] = [] } = { ...known, ...after }
    return { nsec3param: param, nsec3narrow: narrow === '1' }
  }

  #writeProperty(name: string, body: object): Promise<void> {
    return this.#calls.send('PUT', zonePath(name), body, name, null)
  }

  /** Reverses the kinds that changed: a call that failed at the server may have been done. */
  async #undoWritten({ before, after, ...step }: MetadataStep): Promise<void> {
    const found = (await this.server.metadata(step.zoneName)) ?? {}
    const written = Object.keys(after).filter(
      (kind) => !sameValues(found[kind] ?? [], before[kind] ?? [])
    )
    const pickWritten = (metadata: Metadata) =>
      Object.fromEntries(written.map((kind) => [kind, metadata[kind] ?? []]))
    if (written.length > 0) {
      await this.executeStep({ ...step, before: pickWritten(after), after: pickWritten(before) })
    }
  }

  async #writeKind(name: string, kind: string, values: string[]): Promise<void> {
    const { overApi } = metadataKind(kind)
    if (overApi === 'none') {
      throw new WriteRefused(`the PowerDNS API cannot write ${kind}`)
    }
    if (overApi === 'zone') {
      await this.#writeProperty(name, zoneProperty(kind, values))
    } else if (values.length > 0) {
      const body = { kind, metadata: values }
      await this.#calls.send('PUT', `${zonePath(name)}/metadata/${kind}`, body, name, null)
    } else {
      await this.#deleteKind(`${zonePath(name)}/metadata/${kind}`, name)
    }
  }

  /** Deletes a kind of metadata, if it exists. */
  async #deleteKind(path: string, name: string): Promise<void> {
    try {
      await this.#calls.send('DELETE', path, undefined, name, null)
    } catch (error) {
      if (!(error instanceof ZoneGone)) {
        throw error
      }
    }
  }

  /** Sends RRsets, and repeats them if the server reports its spelling of a content. Returns whether it did. */
  async #sendWithServerSpelling(
    sets: RRsetBody[],
    send: (sets: RRsetBody[]) => Promise<void>
  ): Promise<boolean> {
    for (let current = sets, retriesLeft = MAX_SPELLINGS; ; retriesLeft--) {
      try {
        await send(current)
        return current !== sets
      } catch (error) {
        const respelledSets =
          retriesLeft > 0 && error instanceof WriteRefused
            ? respellSets(current, error.message)
            : null
        if (!respelledSets) {
          throw error
        }
        current = respelledSets
      }
    }
  }
}

function patchBody(rrsets: RRsetBody[]): object {
  return { rrsets }
}

/** Whether a zone has these properties; absent members match any value. */
function hasProperties(zone: ServerZone, { kind, masters, account }: ZonePatch): boolean {
  return (
    (kind === undefined || zone.kind === kind) &&
    (masters === undefined || zone.masters.join() === masters.join()) &&
    (account === undefined || (zone.account ?? '') === (account ?? ''))
  )
}

/** The zone property of the API for a kind of metadata. */
function zoneProperty(kind: string, [value = '']: string[]): object {
  const member = kind.toLowerCase().replaceAll('-', '_')
  return { [member]: kind === 'API-RECTIFY' ? value === '1' : value }
}
