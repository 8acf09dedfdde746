import db from '@adonisjs/lucid/services/db'
import { inject } from '@adonisjs/core'
import { isSuperUser, type Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { DnsBackend, ZoneKind } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import { isReplica } from '#backends/contract/zone_kinds'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { ZoneCreation } from '#changes/model/change_set'
import type { Owners } from '#changes/model/zone_properties'
import type { Intent, Origin } from '#changes/model/intent'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import dns from '#config/dns'
import { InvalidDns } from '#dns/errors'
import { zoneName } from '#dns/names'
import { forbidden, invalid, notFound } from '#exceptions/refusal'
import { zoneKind } from '#zones/lifecycle/kinds'
import { checkOverlap } from '#zones/overlap'
import { missingDelegation } from '#zones/lifecycle/delegation_warnings'
import { primaries } from '#zones/lifecycle/primaries'
import { beginningOf } from '#zones/templates/initial_records'
import { originOf } from '#zones/templates/origin'

/** Input for a new zone. Absent members get their defaults. */
export interface NewZoneInput {
  name?: string
  type?: string
  masters?: string | string[]
  description?: string
  account?: string
  /** null: no user owns the zone. Absent: the caller owns it. */
  ownerUserId?: number | null
  groupIds?: number[]
  /** Serial policy, stored as metadata SOA-EDIT-API. */
  soaEditApi?: string
  /**
   * Id of a zone template. Without it, the zone gets an SOA record and the name servers of
   * `dns.default_ns`.
   */
  templateId?: number
  /** Whether to sign the zone after its creation (`SignNewZone`). */
  isToBeSigned?: boolean
}

/** A new zone that the caller may create. */
export interface ZoneDraft extends NewZoneInput {
  word: string
  primaries: string[]
  owners: Owners
  /** Initial records, instead of a template or an SOA record. */
  beginning?: InitialContents
}

/** Initial records and their origin. */
type InitialContents = Pick<
  ZoneCreation,
  'records' | 'isKnown' | 'comments' | 'warnings' | 'template'
> & {
  origin: Origin | null
}

const POLICIES = ['DEFAULT', 'INCREASE', 'EPOCH', 'SOA-EDIT', 'SOA-EDIT-INCREASE', 'OFF']

@inject()
export class CreateZone {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * First step: checks whether the caller may create the zone, and for which owners. Throws a
   * `Refusal`.
   */
  async prepare(actor: Actor, input: NewZoneInput): Promise<ZoneDraft> {
    const word = input.type ?? 'MASTER'
    const masters = primaries(input.masters ?? [])
    if (word.toUpperCase() === 'SLAVE' && masters.length === 0) {
      throw invalid("A SLAVE zone requires at least one master server in the field 'master'")
    }
    demand(actor, { action: 'zone.create', kind: word.toUpperCase() })
    const owners = await this.#owners(actor, input)
    if (input.isToBeSigned) {
      const ownership = { users: new Set(owners.users), groups: new Set(owners.groups) }
      const zone = { id: 0, name: input.name ?? '', kind: word.toUpperCase(), ownership }
      demand(actor, { action: 'zone.manage_dnssec', zone })
    }
    return { ...input, word, primaries: masters, owners }
  }

  /** Second step: creates the zone and returns the outcome. A `Refusal` leaves nothing behind. */
  async finish(intent: Intent, draft: ZoneDraft): Promise<Outcome<AppliedZone>> {
    const name = validName(draft.name ?? '')
    await checkOverlap(this.#backend, intent.actor, name)
    const kind = zoneKind(draft.word)
    const policy = serialPolicy(draft.soaEditApi, kind)
    const { origin, ...beginning }: InitialContents =
      draft.beginning ?? (await this.#initialContents(intent.actor, draft, { name, kind }))
    const delegation = await missingDelegation(this.#backend, intent.actor, name)
    const outcome = await submitChangeSet(this.#backend, {
      intent,
      origin,
      zones: [
        {
          op: 'create',
          zone: {
            name,
            kind,
            masters: kind === 'SLAVE' ? draft.primaries : [],
            account: draft.account || null,
            metadata: policy ? { 'SOA-EDIT-API': [policy] } : {},
          },
          description: draft.description || null,
          owners: draft.owners,
          ...beginning,
          warnings: [...(beginning.warnings ?? []), ...delegation],
        },
      ],
    })
    return mapOutcome(outcome, ([applied]) => applied)
  }

  /** Returns the canonical name. Throws a 400 `Refusal`. */
  nameOf({ name }: NewZoneInput): string {
    return validName(name ?? '')
  }

  /** Returns the records of the template, or the default ones. */
  async #initialContents(
    actor: Actor,
    { templateId }: ZoneDraft,
    { name, kind }: { name: string; kind: ZoneKind }
  ) {
    const beginning = await beginningOf(actor, { name, isReplica: isReplica({ kind }) }, templateId)
    const { template } = beginning
    return { ...beginning, origin: template ? originOf(template.templateId) : null }
  }

  /** Returns the owners of the new zone, if the caller may choose them. */
  async #owners(actor: Actor, input: NewZoneInput): Promise<Owners> {
    const ownerId = input.ownerUserId === undefined ? actor.userId : input.ownerUserId
    const user = ownerId !== null && ownerId > 0 ? ownerId : null
    const groups = [...new Set(input.groupIds ?? groupOfRight(actor, input))]
    if (user !== null && user !== actor.userId) {
      demand(actor, { action: 'zone.create_for_others' })
      await requireRows('zw_users', [user], ([id]) => `Unknown user ID: ${id}`)
    }
    // Without a user, zones are owned by groups only, and one of them must be named.
    if (input.groupIds !== undefined && groups.length > (user === null ? 1 : 0)) {
      demand(actor, { action: 'key.open', access: 'write', what: 'the owners of a zone' })
    }
    const ownGroupIds = new Set(actor.groups.map((group) => group.id))
    if (!isSuperUser(actor) && !groups.every((id) => ownGroupIds.has(id))) {
      // A missing group gives the same error, which hides other groups.
      throw forbidden('You can add only groups of which you are a member as owners of a zone')
    }
    await requireRows('zw_groups', groups, (ids) => `Unknown group ID(s): ${ids.join(', ')}`)
    if (dns.zone_ownership_mode === 'groups_only' && user !== null && input.ownerUserId) {
      throw invalid(
        "Field 'owner_user_id': zones are owned by groups only (dns.zone_ownership_mode)"
      )
    }
    if (dns.zone_ownership_mode === 'users_only' && groups.length > 0) {
      throw invalid("Field 'group_ids': zones are owned by users only (dns.zone_ownership_mode)")
    }
    const users = user === null || dns.zone_ownership_mode === 'groups_only' ? [] : [user]
    if (users.length === 0 && groups.length === 0) {
      throw invalid(
        "A zone needs at least one owner: set 'owner_user_id' or 'group_ids' (at least one owner or group)"
      )
    }
    return { users, groups }
  }
}

/**
 * Adds the group to the owners if the caller may view zones only as a member of it. Otherwise the
 * caller could not view the new zone.
 */
function groupOfRight(actor: Actor, input: NewZoneInput): number[] {
  const canViewOwned = isSuperUser(actor) || actor.permissions.has('zone_content_view_own')
  if (canViewOwned || input.ownerUserId !== undefined || dns.zone_ownership_mode === 'users_only') {
    return []
  }
  const group = actor.groups.find(({ permissions }) => permissions.has('zone_content_view_own'))
  return group ? [group.id] : []
}

async function requireRows(
  table: string,
  ids: number[],
  message: (missing: number[]) => string
): Promise<void> {
  const validIds = ids.filter((id) => Number.isInteger(id) && id > 0 && id <= 2147483647)
  const rows: { id: number }[] = await db
    .from(table)
    .whereIn('id', [0, ...validIds])
    .select('id')
  const existingIds = new Set(rows.map((row) => row.id))
  const missing = ids.filter((id) => !existingIds.has(id))
  if (missing.length > 0) {
    throw notFound(message(missing))
  }
}

function validName(name: string): string {
  if (name === '') {
    throw invalid("Invalid domain name. Field 'name' is required")
  }
  try {
    return zoneName(name)
  } catch (error) {
    throw error instanceof InvalidDns ? invalid(`Invalid domain name. ${error.message}`) : error
  }
}

/**
 * Returns the policy to store, or null for none. A secondary zone is checked too, but never uses
 * it.
 */
function serialPolicy(wanted: string | undefined, kind: ZoneKind): string | null {
  const allowed = dns.soa_edit_api_options ?? POLICIES
  if (wanted && !allowed.some((known) => known === wanted)) {
    throw invalid(
      `Invalid soa_edit_api value "${wanted.slice(0, 100)}". Must be one of: ${allowed.join(', ')}`
    )
  }
  const policy = wanted || dns.soa_edit_api
  return kind === 'SLAVE' || policy === '' || policy === 'OFF' ? null : policy
}
