import type { ApiRequest } from '@japa/api-client'
import type { Assert } from '@japa/assert'
import db from '@adonisjs/lucid/services/db'

/** Returns everything stored about accounts and owners. Equal states mean that nothing changed. */
export async function accountState() {
  return {
    users: await db.from('zw_users').orderBy('id'),
    members: await db.from('zw_group_members').orderBy('group_id').orderBy('user_id'),
    owners: await db.from('zw_zone_owners').orderBy('zone_id').orderBy('user_id'),
    keys: await db.from('zw_api_keys').orderBy('id').select('id', 'user_id', 'enabled'),
  }
}

/** Asserts that the call is refused with this status and message and changes nothing. Returns the message. */
export async function assertRefused(
  assert: Assert,
  call: ApiRequest,
  status: number,
  words: RegExp = /./
): Promise<string> {
  const before = await accountState()
  const response = await call
  const { success, data, message } = response.body()
  assert.equal(response.status(), status, message)
  assert.isFalse(success)
  assert.isNull(data)
  assert.match(message, words)
  assert.deepEqual(await accountState(), before)
  return message
}

/** Returns the stored row of a user; null without one. */
export function userRow(id: number) {
  return db.from('zw_users').where('id', id).first()
}

/** Deactivates all administrators except these. Returns the function that activates the others again. */
export async function onlyAdministrators(ids: number[]): Promise<() => Promise<void>> {
  const others: { id: number }[] = await db
    .from('zw_users')
    .where('active', true)
    .whereNotIn('id', ids)
    .select('id')
  const set = async (active: boolean) => {
    for (const { id } of others) {
      await db.from('zw_users').where('id', id).update({ active })
    }
  }
  await set(false)
  return () => set(true)
}
