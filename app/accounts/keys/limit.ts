import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { findAdministratorIds } from '#accounts/users/last_administrator'
import type { KeyPurpose } from '#accounts/keys/change'
import api from '#config/api'
import dyndns from '#config/dyndns'
import { holdRow } from '#database/rows/row_lock'
import { conflict } from '#exceptions/refusal'
import type User from '#models/user'

/**
 * Enforces `api.max_keys_per_user` and, for host tokens, `dyndns.max_tokens_per_user`, except for
 * administrators. Locks the user's row until the end of the transaction. Throws a 409 `Refusal`.
 */
export async function checkKeyLimit(
  trx: TransactionClientContract,
  owner: User,
  purpose: KeyPurpose
): Promise<void> {
  const [maxKeys, objectName, settingName] =
    purpose === 'dyndns'
      ? [dyndns.max_tokens_per_user, 'host tokens', 'dyndns.max_tokens_per_user']
      : [api.max_keys_per_user, 'API keys', 'api.max_keys_per_user']
  // Serializes count and insert.
  await holdRow(trx, 'zw_users', owner.id)
  const [keyCount] = await trx
    .from('zw_api_keys')
    .where('user_id', owner.id)
    .where((rows) => (purpose ? rows.where({ purpose }) : rows.whereNull('purpose')))
    .count('* as total')
  if (Number(keyCount.total) < maxKeys) {
    return
  }
  const administrators = await findAdministratorIds(trx, [owner.id])
  if (administrators.has(owner.id)) {
    return
  }
  throw conflict(
    `User '${owner.username}' has ${keyCount.total} ${objectName}; at most ${maxKeys} are allowed (${settingName})`
  )
}
