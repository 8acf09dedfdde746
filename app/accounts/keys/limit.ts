import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { administratorIds } from '#accounts/users/last_administrator'
import api from '#config/api'
import { holdRow } from '#database/row_lock'
import { conflict } from '#exceptions/refusal'
import type User from '#models/user'

/**
 * Refuses one key more than `api.max_keys_per_user` for a regular user; administrators have no limit. Holds the
 * user's row until the end of the transaction. Throws a 409 `Refusal`.
 */
export async function checkKeyLimit(trx: TransactionClientContract, owner: User): Promise<void> {
  // So that keys are counted and made by one at a time.
  await holdRow(trx, 'zw_users', owner.id)
  const [held] = await trx.from('zw_api_keys').where('user_id', owner.id).count('* as total')
  if (Number(held.total) < api.max_keys_per_user) {
    return
  }
  const administrators = await administratorIds(trx, [owner.id])
  if (administrators.has(owner.id)) {
    return
  }
  throw conflict(
    `User '${owner.username}' holds ${held.total} API keys; allowed are ${api.max_keys_per_user} (api.max_keys_per_user)`
  )
}
