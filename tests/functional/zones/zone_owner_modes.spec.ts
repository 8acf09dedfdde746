// @api-backend(all)
import { test } from '@japa/runner'
import { createGroup } from '#tests/support/app/people/accounts'
import { baseUrl, caller, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { withSettings } from '#tests/support/app/settings'

/** Sends an API call to this process. */
async function call({ key }: Person, method: string, path: string, body?: object) {
  const response = await fetch(`${baseUrl()}/api/v2${path}`, {
    method,
    headers: { 'x-api-key': key },
    body: body && JSON.stringify(body),
  })
  const { message } = (await response.json()) as { message: string }
  return { status: response.status, message }
}

for (const [mode, refused, allowed] of [
  ['users_only', 'group', 'user'],
  ['groups_only', 'user', 'group'],
] as const) {
  test.group(`Owners with dns.zone_ownership_mode ${mode}`, (tests) => {
    let admin: Person
    tests.setup(async () => {
      admin = await administrator()
    })

    /** Sends an API call under this mode. Other calls of a test use the default mode. */
    const send = (...words: Parameters<typeof call>) =>
      withSettings({ dns: { zone_ownership_mode: mode } }, () => call(...words))

    test(`no ${refused} becomes an owner, but an existing one can be removed`, async ({
      client,
      assert,
    }) => {
      const as = caller(client, admin)
      const group = await createGroup(as)
      const otherUser = await person()
      const zone = await createZone(as, { name: zoneNamed() })
      const ways = {
        user: {
          at: `/zones/${zone.id}/owners`,
          bodies: [{ user_id: otherUser.id }, { user_ids: [otherUser.id] }],
        },
        group: { at: `/groups/${group.id}/zones`, bodies: [{ zone_id: zone.id }] },
      }
      for (const body of ways[refused].bodies) {
        const answer = await send(admin, 'POST', ways[refused].at, body)
        assert.equal(answer.status, 400)
        assert.include(answer.message, 'dns.zone_ownership_mode')
      }
      const [body] = ways[allowed].bodies
      const created = await send(admin, 'POST', ways[allowed].at, body)
      assert.equal(created.status, 201)

      // The zone has both kinds of owners, created under the other mode. Removing the refused kind is allowed.
      await as.post(ways[refused].at, ways[refused].bodies[0])
      const end =
        refused === 'user' ? `${ways.user.at}/${otherUser.id}` : `${ways.group.at}/${zone.id}`
      const deletedZone = await send(admin, 'DELETE', end)
      assert.equal(deletedZone.status, 200)
    })

    test(`no ${refused} gets the zones of a deleted user`, async ({ client, assert }) => {
      const as = caller(client, admin)
      const [leaving, user] = [await person(), await person()]
      const group = await createGroup(as)
      const zone = await createZone(as, { name: zoneNamed(), owner_user_id: leaving.id })
      const heirs = { user: user.id, group: group.id }
      const path = `/users/${leaving.id}`
      for (const body of [
        { [`transfer_to_${refused}_id`]: heirs[refused] },
        { zone_transfers: [{ zone_id: zone.id, [`${refused}_id`]: heirs[refused] }] },
      ]) {
        const answer = await send(admin, 'DELETE', path, body)
        assert.equal(answer.status, 400)
        assert.include(answer.message, 'dns.zone_ownership_mode')
      }
      const body = { [`transfer_to_${allowed}_id`]: heirs[allowed] }
      const deleted = await send(admin, 'DELETE', path, body)
      assert.equal(deleted.status, 200)
    })
  })
}
