import db from '@adonisjs/lucid/services/db'
import { inTransaction } from '#database/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { KeyOperation } from '#access/actor'
import type { Permission } from '#access/permissions'
import { hashKey, keyPrefix, makeKey } from '#accounts/key_secret'
import api from '#config/api'
import { conflict, invalid, notFound } from '#exceptions/refusal'
import ApiKey from '#models/api_key'
import User from '#models/user'

export const KEY_OPERATIONS: KeyOperation[] = ['view', 'create', 'update', 'delete']

const MAX_NAME = 255

/** Everything about a new key. */
export interface NewApiKey {
  username: string
  name: string
  readOnly: boolean
  /** Empty allows all. */
  operations: KeyOperation[]
  /** Names of zones; empty reaches all that the owner does. */
  zones: { id: number; name: string }[]
  /** ISO 8601; null never expires. */
  expiresAt: string | null
}

/**
 * Creates an API key for an active user. The key is in the answer and nowhere else.
 * Throws a `Refusal` that names what is wrong.
 */
export async function createApiKey(input: NewApiKey): Promise<{ id: number; key: string }> {
  if (input.name === '' || input.name.length > MAX_NAME) {
    throw invalid(`The name of a key must have 1 to ${MAX_NAME} characters`)
  }
  const owner = await User.findBy('username', input.username)
  if (!owner) {
    throw notFound(`There is no user named '${input.username}'`)
  }
  if (!owner.active) {
    throw conflict(`User '${input.username}' is deactivated: a key of theirs would never work`)
  }
  const now = new Date().toISOString()
  if (input.expiresAt !== null && input.expiresAt <= now) {
    throw invalid(`The key would expire at ${input.expiresAt}, which is in the past`)
  }
  const key = makeKey()
  return inTransaction(db.connection(), async (trx) => {
    await checkKeyLimit(trx, owner)
    const row = new ApiKey().useTransaction(trx).merge({
      name: input.name,
      userId: owner.id,
      secretHash: hashKey(key),
      prefix: keyPrefix(key),
      enabled: true,
      readOnly: input.readOnly,
      allowedOperations: input.operations.length > 0 ? input.operations.join(',') : null,
      zoneRestricted: input.zones.length > 0,
      expiresAt: input.expiresAt,
      createdAt: now,
    })
    await row.save()
    const zones = input.zones.map((zone) => ({ api_key_id: row.id, zone_id: zone.id }))
    if (zones.length > 0) {
      await trx.table('zw_api_key_zones').multiInsert(zones)
    }
    return { id: row.id, key }
  })
}

/** Refuses a key over the limit of a regular user; administrators have none. Holds the user's row. */
async function checkKeyLimit(trx: TransactionClientContract, owner: User): Promise<void> {
  // A write that changes nothing takes the row's lock on every database, so that keys are counted and
  // made by one at a time.
  await trx.from('zw_users').where('id', owner.id).update({ updated_at: owner.updatedAt })
  const [held] = await trx.from('zw_api_keys').where('user_id', owner.id).count('* as total')
  if (Number(held.total) < api.max_keys_per_user || (await isAdministrator(trx, owner))) {
    return
  }
  throw conflict(
    `User '${owner.username}' holds ${held.total} API keys; allowed are ${api.max_keys_per_user} (api.max_keys_per_user)`
  )
}

async function isAdministrator(trx: TransactionClientContract, user: User): Promise<boolean> {
  const grant: unknown = await trx
    .from('zw_permission_template_items as i')
    .join('zw_permissions as p', 'p.id', 'i.permission_id')
    .where('p.name', 'user_is_ueberuser' satisfies Permission)
    .where((from) =>
      from
        .where('i.template_id', user.permissionTemplateId)
        .orWhereExists((groups) =>
          groups
            .from('zw_groups as g')
            .join('zw_group_members as m', 'm.group_id', 'g.id')
            .whereColumn('g.permission_template_id', 'i.template_id')
            .where('m.user_id', user.id)
        )
    )
    .select('p.id')
    .first()
  return grant !== null
}
