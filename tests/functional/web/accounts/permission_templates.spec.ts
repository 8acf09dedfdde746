import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { unique } from '#tests/support/app/names'
import {
  administrator,
  permissionTemplate,
  person,
  type Person,
} from '#tests/support/app/people/people'
import { wordsOf } from '#tests/support/web/review'
import { signedIn, type WebClient } from '#tests/support/web/client'

let admin: Person
let client: WebClient

test.group('Permission templates in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
    client = await signedIn(admin)
  })

  const held = async (id: number) => {
    const rows: { name: string }[] = await db
      .from('zw_permission_template_items as i')
      .join('zw_permissions as p', 'p.id', 'i.permission_id')
      .where('i.template_id', id)
      .orderBy('p.name')
      .select('p.name')
    return rows.map((row) => row.name)
  }

  test('permissions are selected in three states, and unchanged ones stay', async ({ assert }) => {
    const both = ['zone_content_view_own', 'zone_content_view_others', 'search'] as const
    const { id } = await permissionTemplate('user', [...both])
    const at = `/permission-templates/${id}`
    const page = await client.get(at)
    assert.match(page.html, /name="reach_zone_content_view" value="others" checked/)
    // An administrator may grant every permission.
    assert.notMatch(page.html, / disabled/)
    const name = unique('template')
    const input = {
      'tag': page.hidden('tag'),
      name,
      'description': '',
      'type': 'user',
      'reach_zone_content_view': 'others',
      'reach_zone_content_edit': 'client',
      'ticks[]': ['api_manage_keys'],
    }
    assert.equal(await client.sent(at, input), 303)
    assert.deepEqual(await held(id), [
      'api_manage_keys',
      'zone_content_edit_own_as_client',
      'zone_content_view_others',
      'zone_content_view_own',
    ])
    assert.equal(await client.sent(at, { ...input, name: 'late' }), 412)
    const copy = await client.get(`/permission-templates/new?copy=${id}`)
    assert.include(copy.html, `Copy of ${name}`)
    assert.match(copy.html, /name="reach_zone_content_edit" value="client" checked/)
    const deleted = await client.post(`${at}/delete`, { sure: '1' })
    assert.equal(deleted.location, '/permission-templates')
  })

  test('a concurrent change is shown before it is replaced', async ({ assert }) => {
    const { id, name } = await permissionTemplate('user', ['zone_content_view_own'])
    const at = `/permission-templates/${id}`
    const tag = await client.tagAt(at)
    const input = { tag, name, description: '', type: 'user', reach_zone_content_view: 'own' }
    const theirs = { ...input, 'reach_zone_delete': 'others', 'ticks[]': ['search'] }
    assert.equal(await client.sent(at, theirs), 303)
    const lateSubmission = await client.post(at, {
      ...input,
      reach_zone_delete: 'none',
      name: 'late',
    })
    assert.equal(lateSubmission.status, 412)
    const told = wordsOf(lateSubmission)
    assert.include(told, `saving replaces them: Name: ${name}`)
    assert.include(told, 'Delete zones: all zones')
    assert.include(told, 'Search zones and records: yes')
    // Unchanged permissions are not listed.
    assert.notInclude(told, 'View zones and their records: own zones')
    const replaced = await client.post(at, {
      ...input,
      reach_zone_delete: 'none',
      tag: lateSubmission.hidden('tag'),
    })
    assert.equal(replaced.status, 303)
    assert.deepEqual(await held(id), ['zone_content_view_own'])
  })

  test('nobody grants more than they hold, or deletes a template in use', async ({ assert }) => {
    const rights = ['templ_perm_add', 'templ_perm_edit', 'search'] as const
    const clerk = await signedIn(await person({ permissions: [...rights] }))
    const page = await clerk.get('/permission-templates/new')
    assert.match(page.html, /name="reach_zone_delete" value="others" disabled/)
    assert.include(page.html, 'You cannot select permissions that you do not have')
    const input = { name: unique('template'), type: 'user', reach_zone_delete: 'others' }
    const refused = await clerk.post('/permission-templates/new', input)
    assert.equal(refused.status, 403)
    assert.include(refused.html, input.name)
    const used = await client.get('/permission-templates/1/delete')
    assert.include(used.html, admin.username)
    const kept = await client.post('/permission-templates/1/delete', { sure: '1' })
    assert.equal(kept.status, 409)
  })
})
