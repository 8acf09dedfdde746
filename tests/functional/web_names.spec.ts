import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { administrator, person, team } from '#tests/support/app/people'
import { answered, inside, type WebClient } from '#tests/support/web/client'

test.group('Names that fields suggest', () => {
  test('are those that fit, for whoever may know them', async ({ assert }) => {
    const crew = await team([])
    const root = await inside(await administrator())
    const member = await person({ groups: [crew.name] })
    const names = async (visitor: WebClient, of: string, q: string) => {
      const page = await visitor.get(`/names?of=${of}&q=${encodeURIComponent(q)}`)
      return (JSON.parse(page.html) as { names: string[] }).names
    }
    const part = crew.name.slice(1).toUpperCase()
    assert.deepEqual(await names(root, 'groups', part), [crew.name])
    assert.deepEqual(await names(root, 'users', member.username), [member.username])
    assert.deepEqual(await names(root, 'heirs', `group: ${part}`), [`group: ${crew.name}`])
    assert.deepEqual(await names(root, 'heirs', member.username), [`user: ${member.username}`])
    for (const q of ['', '%', '_%']) {
      const found = await names(root, 'users', q)
      assert.notInclude(found, member.username, q)
    }
    assert.deepEqual(await names(root, 'zones', 'x'), [])
    const inGroup = await inside(member)
    assert.deepEqual(await names(inGroup, 'groups', part), [crew.name])
    assert.deepEqual(await names(inGroup, 'users', member.username), [])
    const other = await team([])
    assert.deepEqual(await names(inGroup, 'groups', other.name), [])
    assert.deepEqual(await names(inGroup, 'heirs', other.name), [])
    // A group is named where it is chosen.
    const at = `/users/${member.id}`
    const join = (add: string) => answered(root.post(`${at}/groups`, { add }, { from: at }))
    assert.equal(await join(other.name), 303)
    assert.equal(await join('no such group'), 422)
    const groups = await db.from('zw_group_members').where('user_id', member.id)
    assert.sameMembers(
      groups.map(({ group_id: id }) => Number(id)),
      [crew.id, other.id]
    )
  })

  test('asked for between a form and the next page take away nothing of what that tells', async ({
    assert,
  }) => {
    const root = await inside(await administrator())
    const at = '/account/preferences'
    const saved = await root.post(at, { rows_per_page: '25' }, { from: at })
    assert.equal(saved.status, 303)
    for (const path of ['/names?of=users&q=a', '/palette?q=a', '/zones/suggest?q=ab']) {
      assert.equal(await root.statusOf(path), 200)
    }
    const told = async () => {
      const page = await root.get(at)
      return page.html.includes('data-toast=')
    }
    assert.isTrue(await told())
    // Once.
    assert.isFalse(await told())
  })
})
