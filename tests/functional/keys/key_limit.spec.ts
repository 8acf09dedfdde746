// @databases
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { createApiKey } from '#accounts/keys/api_keys'
import { commandOptions } from '#accounts/terms'
import { Refusal } from '#exceptions/refusal'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import api from '#config/api'

function createKey({ username }: Person) {
  const none = { readOnly: false, operations: [], zones: [], expiresAt: null }
  return createApiKey({ username, name: 'one more', ...none }, commandOptions(maintainer()))
}

/** Returns how many of `attempts` concurrent requests get a key. */
async function createdKeys(owner: Person, attempts: number): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: attempts }, () => createKey(owner)))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  for (const reason of refused) {
    if (!(reason instanceof Refusal)) {
      throw reason
    }
  }
  return attempts - refused.length
}

test.group('api.max_keys_per_user', () => {
  test('a regular user has at most api.max_keys_per_user, also with concurrent requests', async ({
    assert,
  }) => {
    // The user already has a key.
    const owner = await person({ template: 'Zone Manager' })
    assert.equal(await createdKeys(owner, api.max_keys_per_user + 3), api.max_keys_per_user - 1)
  })

  test('administrators have no limit, by template or by group', async ({ assert }) => {
    const group = await createTeam(['user_is_ueberuser'])
    for (const owner of [await administrator(), await person({ groups: [group.name] })]) {
      assert.equal(await createdKeys(owner, api.max_keys_per_user + 3), api.max_keys_per_user + 3)
    }
  })
})
