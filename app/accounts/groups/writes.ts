import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { writeAccounts } from '#accounts/account_write'
import type { AccountWriteOptions } from '#accounts/terms'
import { groupCreated, groupDeleted, groupUpdated, type MemberName } from '#accounts/groups/events'
import { findGroupRow, type GroupRow } from '#accounts/groups/groups'
import { checkObjectName } from '#accounts/object_names'
import { isUniqueViolation } from '#database/conflicts'
import { isRowId } from '#database/rows/row_ids'
import { holdRow } from '#database/rows/row_lock'
import { conflict, invalid } from '#exceptions/refusal'
import { adjustZoneCount } from '#lists/sql/zone_count'

/** Members of a group that can be set. */
export interface GroupInput {
  name: string
  description: string
  /** Id of a permission template for groups. */
  templateId: number
}

const MAX_NAME_CHARACTERS = 255

/**
 * Creates a group without members and zones. Throws a 400 `Refusal` for an existing name, and for a
 * template that is not for groups.
 */
export function createGroup(terms: AccountWriteOptions, input: GroupInput): Promise<GroupRow> {
  const { actor } = terms
  demand(actor, { action: 'group.edit' })
  const name = checkObjectName(input.name, MAX_NAME_CHARACTERS)
  return writeAccounts(terms, async (trx) => {
    await requireGroupTemplate(trx, input.templateId)
    await requireFreeName(trx, name)
    const now = new Date().toISOString()
    await rethrowDuplicateName(() =>
      trx.table('zw_groups').insert({
        name,
        description: input.description,
        permission_template_id: input.templateId,
        created_by: actor.userId,
        created_at: now,
        updated_at: now,
      })
    )
    const group: GroupRow = await trx.from('zw_groups').where('name', name).firstOrFail()
    return { result: group, events: groupCreated(group) }
  })
}

/**
 * Changes the given members of a group; equal values are no change. Throws as `createGroup`, and a
 * 404 for a missing group.
 */
export function updateGroup(
  terms: AccountWriteOptions,
  id: number,
  patch: Partial<GroupInput>
): Promise<GroupRow> {
  demand(terms.actor, { action: 'group.edit' })
  return writeAccounts(terms, async (trx) => {
    const before = await findGroupRow(trx, id)
    terms.checkStored?.(before)
    const name = patch.name ?? before.name
    const templateId = patch.templateId ?? before.permission_template_id
    if (name !== before.name) {
      await requireFreeName(trx, checkObjectName(name, MAX_NAME_CHARACTERS))
    }
    if (templateId !== before.permission_template_id) {
      await requireGroupTemplate(trx, templateId)
    }
    const patched = {
      name,
      description: patch.description ?? before.description,
      permission_template_id: templateId,
      updated_at: new Date().toISOString(),
    }
    const after: GroupRow = { ...before, ...patched }
    const events = groupUpdated(before, after)
    if (events.length === 0) {
      return { result: before, events }
    }
    await rethrowDuplicateName(() => trx.from('zw_groups').where('id', id).update(patched))
    return { result: after, events }
  })
}

/**
 * Deletes a group with its memberships. If confirmed, its zones lose the group as owner; zones
 * without owners belong to the administrators. Throws a 409 `Refusal` if the group has zones and
 * the deletion is not confirmed.
 */
export function deleteGroup(
  terms: AccountWriteOptions,
  id: number,
  { isConfirmed }: { isConfirmed: boolean }
): Promise<GroupRow> {
  demand(terms.actor, { action: 'group.manage' })
  return writeAccounts(terms, async (trx) => {
    const group = await findGroupRow(trx, id)
    // Assignments of zones lock this row first, so none can start from here on.
    await holdRow(trx, 'zw_groups', id)
    const zones = await zonesOf(trx, id)
    const members = await membersOf(trx, id)
    for (const zone of zones) {
      demand(terms.actor, { action: 'key.reach', zoneId: zone.id, zoneName: zone.name })
    }
    terms.checkStored?.(withContents(group, members, zones))
    if (zones.length > 0 && !isConfirmed) {
      throw conflict(
        'The group owns zones: remove it as their owner first, or repeat the request with ?confirm=true (command line: --confirm)'
      )
    }
    await trx.from('zw_zone_groups').where('group_id', id).delete()
    await trx.from('zw_group_members').where('group_id', id).delete()
    await trx.from('zw_groups').where('id', id).delete()
    if (zones.length > 0) {
      await adjustZoneCount(trx, 0)
    }
    return { result: group, events: groupDeleted(group, members, zones) }
  })
}

/** A group, with everything that its deletion removes. */
export interface GroupContents extends GroupRow {
  /** Ids, in ascending order. */
  members: number[]
  zones: number[]
}

/**
 * Returns the current state for the confirmation of a deletion. Throws a 403 `Refusal` without the
 * right, and a 404 for a missing group.
 */
export async function readGroupContents(actor: Actor, id: number): Promise<GroupContents> {
  demand(actor, { action: 'group.manage' })
  const client = db.connection()
  const group = await findGroupRow(client, id)
  return withContents(group, await membersOf(client, id), await zonesOf(client, id))
}

function withContents(
  group: GroupRow,
  members: MemberName[],
  zones: { id: number }[]
): GroupContents {
  return { ...group, members: members.map(({ id }) => id), zones: zones.map(({ id }) => id) }
}

function zonesOf(
  client: QueryClientContract,
  groupId: number
): Promise<{ id: number; name: string }[]> {
  return client
    .from('zw_zone_groups')
    .join('zw_zones', 'zw_zones.id', 'zw_zone_groups.zone_id')
    .where('group_id', groupId)
    .orderBy('zw_zones.id')
    .select('zw_zones.id', 'zw_zones.name')
}

function membersOf(client: QueryClientContract, groupId: number): Promise<MemberName[]> {
  return client
    .from('zw_group_members as m')
    .join('zw_users as u', 'u.id', 'm.user_id')
    .where('m.group_id', groupId)
    .orderBy('u.id')
    .select('u.id', 'u.username')
}

async function requireGroupTemplate(
  trx: TransactionClientContract,
  templateId: number
): Promise<void> {
  const row: { template_type: string } | null = isRowId(templateId)
    ? await trx.from('zw_permission_templates').where('id', templateId).first()
    : null
  if (row?.template_type !== 'group') {
    throw invalid(
      `Invalid perm_templ_id: the specified permission template must be of type "group", ${
        row
          ? `${templateId} is of type "${row.template_type}"`
          : `there is no template with id ${templateId}`
      }`
    )
  }
}

const NAME_TAKEN_MESSAGE = 'A group with this name already exists'

async function requireFreeName(trx: TransactionClientContract, name: string): Promise<void> {
  if (await trx.from('zw_groups').where('name', name).first()) {
    throw invalid(NAME_TAKEN_MESSAGE)
  }
}

/** The quick start and commands also create groups, without the lock of `writeAccounts`. */
async function rethrowDuplicateName(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isUniqueViolation(error) ? invalid(NAME_TAKEN_MESSAGE) : error
  }
}
