import db from '@adonisjs/lucid/services/db'
import type { AuditActor } from '#audit/event'
import { record } from '#audit/record'
import { findKeyIdentity, endReasonOf } from '#accounts/keys/identity'
import { CHUNK_SIZE } from '#database/statements/chunks'
import { holdRow } from '#database/rows/row_lock'
import { inTransaction } from '#database/transaction'

/** A key that was disabled at its expiry. */
export interface DisabledKey {
  id: number
  name: string
  username: string
  because: 'expired' | 'idle'
}

/**
 * Disables expired and idle API keys, one transaction per key. They were invalid already; this
 * writes the audit log and notifies listeners. A clock that is set back cannot make a disabled key
 * valid.
 *
 * @param onStep called with the number of checked keys
 */
export async function expireKeys(
  actor: AuditActor,
  onStep: (keys: number) => void = () => {}
): Promise<DisabledKey[]> {
  const disabledKeys: DisabledKey[] = []
  let checked = 0
  for (let after = 0; ;) {
    const rows: { id: number }[] = await db
      .from('zw_api_keys')
      .where('enabled', true)
      .where((condition) => condition.whereNotNull('expires_at').orWhereNotNull('idle_days'))
      .where('id', '>', after)
      .orderBy('id')
      .limit(CHUNK_SIZE)
      .select('id')
    for (const { id } of rows) {
      const key = await disableIfExpired(actor, id)
      if (key) disabledKeys.push(key)
      checked += 1
      onStep(checked)
    }
    if (rows.length < CHUNK_SIZE) {
      return disabledKeys
    }
    after = rows[rows.length - 1].id
  }
}

async function disableIfExpired(actor: AuditActor, id: number): Promise<DisabledKey | null> {
  const candidate = await findKeyIdentity(id)
  if (!candidate || endReasonOf(candidate, new Date()) === null) {
    return null
  }
  return inTransaction(db.connection(), async (trx) => {
    await holdRow(trx, 'zw_api_keys', id)
    const key = await findKeyIdentity(id, trx)
    const reason = key && endReasonOf(key, new Date())
    if (!key?.row.enabled || !reason) {
      return null
    }
    const { name, user_id: userId, username } = key.row
    await trx.from('zw_api_keys').where('id', id).update({ enabled: false })
    const object = { kind: 'key' as const, id, name }
    const detail = { user_id: userId, username, because: reason }
    await record(trx, actor, { action: 'key.disabled', object, detail })
    return { id, name, username, because: reason }
  })
}
