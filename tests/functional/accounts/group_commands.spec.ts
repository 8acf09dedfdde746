// @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { ace } from '#tests/support/app/commands'
import { unique } from '#tests/support/app/names'
import { person, createTeam } from '#tests/support/app/people/people'

const LIMIT = 60_000

async function listed(name: string): Promise<Record<string, unknown> | undefined> {
  const { stdout } = await ace(['group:list', '--json'])
  const groups: { name: string }[] = JSON.parse(stdout)
  return groups.find((group) => group.name === name)
}

test.group('node ace group:list, group:create, group:add, group:remove, group:delete', (group) => {
  group.each.timeout(LIMIT)

  test('the commands create a group, add and remove a member, and delete the group', async ({
    assert,
  }) => {
    const name = unique('On call')
    const { username } = await person()
    const created = await ace(['group:create', name, '--template=Zone Managers', '--description=x'])
    assert.equal(created.code, 0, created.stderr)
    const { id } = JSON.parse(created.stdout)
    const empty = { id, name, description: 'x', template: 'Zone Managers', members: [], zones: 0 }
    assert.deepEqual(await listed(name), empty)

    const added = await ace(['group:add', name, username])
    assert.equal(added.code, 0, added.stderr)
    assert.deepEqual(await listed(name), { ...empty, members: [username] })
    const table = await ace(['group:list'])
    assert.match(table.stdout, /^ID +NAME +TEMPLATE +ZONES +MEMBERS\n/)
    assert.match(table.stdout, new RegExp(`^${id} +${name} +Zone Managers +0 +${username}$`, 'm'))

    const secondResult = await ace(['group:add', name, username])
    assert.equal(secondResult.code, 1)
    assert.match(secondResult.stderr, /already a member/)
    const removed = await ace(['group:remove', name, username])
    assert.equal(removed.code, 0, removed.stderr)
    assert.deepEqual(await listed(name), empty)

    const deleted = await ace(['group:delete', name])
    assert.equal(deleted.code, 0, deleted.stderr)
    assert.isUndefined(await listed(name))
  })

  test('an error names the missing object and the existing ones in one line', async ({
    assert,
  }) => {
    const { username } = await person()
    const missing: [string[], RegExp][] = [
      [
        ['group:create', unique('g'), '--template=None'],
        /no group template named 'None'.*'Guests'/,
      ],
      [['group:add', 'no such group', username], /no group named 'no such group'/],
      [['group:add', 'Guests', 'nobody-at-all'], /no user named 'nobody-at-all'/],
      [['group:remove', 'Guests', username], /Member not found/],
      [['group:delete', 'no such group'], /no group named/],
    ]
    for (const [words, message] of missing) {
      const { code, stderr } = await ace(words)
      assert.equal(code, 1, words.join(' '))
      assert.match(stderr, message)
    }
  })

  test('group:delete requires a confirmation for a group that owns zones', async ({ assert }) => {
    const { id, name } = await createTeam([])
    const zone = unique('zone')
    await db.table('zw_zones').insert({
      id: 900_000_000 + id,
      uid: unique('uid'),
      name: zone,
      name_key: zone,
      created_at: new Date().toISOString(),
    })
    const row = { zone_id: 900_000_000 + id, group_id: id, created_at: new Date().toISOString() }
    await db.table('zw_zone_groups').insert(row)
    const refused = await ace(['group:delete', name])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /owns zones/)
    const deleted = await ace(['group:delete', name, '--confirm'])
    assert.equal(deleted.code, 0, deleted.stderr)
    assert.isNull(await db.from('zw_groups').where({ id }).first())
    await db.from('zw_zones').where('id', row.zone_id).delete()
  })
})
