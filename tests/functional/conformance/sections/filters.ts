import { unique } from '#tests/support/app/names'
import { check, section } from '#tests/support/conformance/check'
import { manyRequests } from '#tests/support/conformance/many_requests'
import type { Scene } from '#tests/support/conformance/scene'

type Row = Record<string, unknown>

/** Returns a function that returns one member of the rows of a list for a query. */
function finder({ root, data }: Scene, list: string, rows: string, member = 'name') {
  return async (query: string) => {
    const found = await data(200, root('GET', `${list}?${query}`))
    return found[rows].map((row: Row) => row[member])
  }
}

/** Creates a zone with some records. Returns its name too. */
async function filled({ zone, record }: Scene) {
  const created = await zone()
  await record(created, 'www', 'A', '192.0.2.1', { ttl: 300 })
  await record(created, 'www', 'A', '192.0.2.22', { ttl: 300 })
  await record(created, 'mail', 'A', '192.0.2.3')
  await record(created, 'mail', 'MX', 'WWW.example.net', { priority: 10 })
  return created
}

const ADD = { actions: [{ op: 'add', record: { name: 'a', type: 'A', content: '192.0.2.1' } }] }

export const filters = section(
  'Filters',
  check('combined', '', async (scene) => {
    const { path } = await filled(scene)
    const query = 'q=192.0.2.&type=a&sort=content:desc&per_page=2'
    const { body } = await scene.want(200, scene.root('GET', `${path}/records?${query}`))
    const contents = body.data.records.map((row: Row) => row.content)
    scene.assert.deepEqual(contents, ['192.0.2.22', '192.0.2.3'])
    scene.assert.deepInclude(body.pagination, { total: 3, last_page: 2 })
  }),
  check('/zones', '', async (scene) => {
    const mark = unique('q')
    const names = [`one.${mark}.test`, `two.${mark}.test`]
    for (const name of names) await scene.zone({ name })
    const find = finder(scene, '/zones', 'zones')
    scene.assert.sameMembers(await find(`q=.${mark.toUpperCase()}`), names)
    scene.assert.deepEqual(await find(`q=${mark}&name=${names[0]}`), [names[0]])
    scene.assert.deepEqual(await find(`name=${mark}`), [])
  }),
  check('/zones/{id}/records', '', async (scene) => {
    const { name, path } = await filled(scene)
    const list = `${path}/records`
    const find = finder(scene, list, 'records', 'content')
    const three = ['192.0.2.1', '192.0.2.22', '192.0.2.3']
    scene.assert.sameMembers(await find('type=A'), three)
    scene.assert.sameMembers(await find('type=a'), three)
    scene.assert.sameMembers(await find('content=192.0.2.2'), ['192.0.2.22'])
    scene.assert.sameMembers(await find(`type=A&name=www.${name}`), three.slice(0, 2))
    scene.assert.lengthOf(await find('q=WwW'), 3)
    const all = await scene.data(200, scene.root('GET', list))
    const order = all.records.map((row: Row) => `${row.type} ${row.name}`)
    scene.assert.deepEqual(order, [...order].sort())
  }),
  check('/zones/{id}/rrsets', '', async (scene) => {
    const { path } = await filled(scene)
    const list = `${path}/rrsets`
    const of = async (query: string) => {
      const { rrsets } = await scene.data(200, scene.root('GET', `${list}?${query}`))
      return rrsets.map((set: Row) => `${set.type} ${String(set.name).split('.')[0]}`)
    }
    scene.assert.deepEqual(await of('type=a'), ['A mail', 'A www'])
    scene.assert.deepEqual(await of('name=mail'), ['A mail', 'MX mail'])
    scene.assert.deepEqual(await of('content=192.0.2.22'), ['A www'])
    scene.assert.sameMembers(await of('q=www'), ['A www', 'MX mail'])
    const one = await scene.data(200, scene.root('GET', `${list}?content=192.0.2.22`))
    scene.assert.lengthOf(one.rrsets[0].records, 2)
    const { rrsets } = await scene.data(200, scene.root('GET', list))
    const order = rrsets.map((row: Row) => `${row.type} ${row.name}`)
    scene.assert.deepEqual(order, [...order].sort())
  }),
  check('/users', '', async (scene) => {
    const mark = unique('who')
    const ids: number[] = []
    for (const member of ['fullname', 'email', 'description']) {
      const { id } = await scene.user({ [member]: `${member}-${mark}@example.org` })
      ids.push(id)
    }
    const find = finder(scene, '/users', 'users', 'user_id')
    scene.assert.deepEqual(await find(`q=${mark.toUpperCase()}`), ids)
    const mail = encodeURIComponent(`email-${mark}@example.org`)
    scene.assert.deepEqual(await find(`email=${mail}`), [ids[1]])
    const { users } = await scene.data(200, scene.root('GET', '/users'))
    const order: number[] = users.map((row: Row) => row.user_id)
    scene.assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b)
    )
  }),
  check('/groups', '', async (scene) => {
    const { name, path } = await scene.group()
    const mark = unique('described')
    await scene.want(200, scene.root('PUT', path, { description: mark }))
    const find = finder(scene, '/groups', 'groups')
    scene.assert.deepEqual(await find(`q=${name.toUpperCase()}`), [name])
    scene.assert.deepEqual(await find(`q=${mark}`), [name])
  }),
  check('/groups/{id}/members', '', async (scene) => {
    const { path } = await scene.group()
    const ids: number[] = []
    for (const fullname of ['Ann Early', 'Bob Late']) {
      const { id } = await scene.user({ fullname })
      await scene.want(201, scene.root('POST', `${path}/members`, { user_id: id }))
      ids.push(id)
    }
    const find = finder(scene, `${path}/members`, 'members', 'user_id')
    scene.assert.deepEqual(await find(''), ids.toReversed())
    scene.assert.deepEqual(await find('q=EARLY'), [ids[0]])
    scene.assert.deepEqual(await find('sort=fullname'), ids)
  }),
  check('/groups/{id}/zones', '', async (scene) => {
    const { path } = await scene.group()
    const zones = [await scene.zone(), await scene.zone()]
    for (const { id } of zones) {
      await scene.want(201, scene.root('POST', `${path}/zones`, { zone_id: id }))
    }
    const find = finder(scene, `${path}/zones`, 'zones', 'zone_id')
    const ids = zones.map(({ id }) => id)
    scene.assert.deepEqual(await find(''), ids.toReversed())
    scene.assert.deepEqual(await find(`q=${zones[0].name.slice(0, -5)}`), [ids[0]])
    scene.assert.deepEqual(await find('sort=zone_id'), ids)
  }),
  check('/zone-templates', '', async (scene) => {
    const mark = unique('described')
    const { name } = await scene.zoneTemplate({ description: mark })
    const find = finder(scene, '/zone-templates', 'templates')
    scene.assert.deepEqual(await find(`q=${mark.toUpperCase()}`), [name])
    scene.assert.deepEqual(await find(`q=${name}&sort=zones_linked,id`), [name])
  }),
  check('/zone-templates/{id}/records', '', async (scene) => {
    const { path } = await scene.zoneTemplate()
    for (const [name, content] of [
      ['www.[ZONE]', '192.0.2.1'],
      ['mail.[ZONE]', '192.0.2.22'],
    ]) {
      const body = { name, type: 'A', content }
      await scene.want(201, scene.root('POST', `${path}/records`, body))
    }
    const find = finder(scene, `${path}/records`, 'records', 'content')
    scene.assert.sameMembers(await find('type=a'), ['192.0.2.1', '192.0.2.22'])
    scene.assert.deepEqual(await find('name=www'), ['192.0.2.1'])
    scene.assert.deepEqual(await find('content=192.0.2.2'), ['192.0.2.22'])
    scene.assert.deepEqual(await find('q=MAIL&type=A'), ['192.0.2.22'])
  }),
  check('/permissions', '', async (scene) => {
    const find = finder(scene, '/permissions', 'permissions')
    scene.assert.deepEqual(await find('q=UEBERUSER'), ['user_is_ueberuser'])
    const { permissions } = await scene.data(200, scene.root('GET', '/permissions'))
    const { description, name } = permissions[0]
    scene.assert.include(await find(`q=${encodeURIComponent(description)}`), name)
  }),
  check('/permission-templates', '', async (scene) => {
    const [one, two] = [await scene.template(), await scene.template([], 'group')]
    const find = finder(scene, '/permission-templates', 'templates', 'id')
    scene.assert.include(await find('type=user'), one.id)
    scene.assert.notInclude(await find('type=user'), two.id)
    scene.assert.deepEqual(await find(`type=group&q=${two.name}`), [two.id])
    scene.assert.include(await find('q=MADE BY A CHECK'), one.id)
    await scene.want(400, scene.root('GET', '/permission-templates?type=nobody'))
  }),
  check('/change-requests', '', async (scene) => {
    scene.review()
    const { id, path } = await scene.zone()
    const ids: number[] = []
    for (let count = 0; count < 3; count++) {
      const filed = await scene.data(201, scene.root('POST', `${path}/change-requests`, ADD))
      ids.push(filed.change_request.id)
    }
    await scene.want(200, scene.root('POST', `/change-requests/${ids[1]}/reject`, {}))
    await scene.want(200, scene.root('DELETE', `/change-requests/${ids[2]}`))
    const find = finder(scene, '/change-requests', 'change_requests', 'id')
    scene.assert.deepEqual(await find(`zone_id=${id}`), [ids[0]])
    scene.assert.deepEqual(await find(`zone_id=${id}&status=pending`), [ids[0]])
    scene.assert.deepEqual(await find(`zone_id=${id}&status=rejected`), [ids[1]])
    scene.assert.deepEqual(await find(`zone_id=${id}&status=cancelled`), [ids[2]])
    for (const status of ['approved', 'failed']) {
      scene.assert.deepEqual(await find(`zone_id=${id}&status=${status}`), [])
    }
    const all = ids.toReversed()
    scene.assert.deepEqual(await find(`zone_id=${id}&status=all`), all)
    scene.assert.deepEqual(await find(`zone_id=${id}&status=all&sort=nope`), all)
    await scene.want(400, scene.root('GET', '/change-requests?status=open'))
  }),
  check(1, '', async (scene) => {
    const { root, data, want, user, assert } = scene
    const email = `${unique('mail')}@example.org`
    const [one, two] = [await user({ email }), await user()]
    const mail = encodeURIComponent(email)
    for (const [query, ids] of [
      [`username=${one.username}&page=7&per_page=1&q=nothing`, [one.id]],
      [`email=${mail}&sort=username:desc`, [one.id]],
      [`username=${two.username}&email=${mail}`, [two.id]],
      [`username=${one.username.slice(0, -1)}`, []],
      [`username=${unique('nobody')}&email=${mail}`, []],
    ] as const) {
      const { body } = await want(200, root('GET', `/users?${query}`))
      const found = body.data.users.map((row: Row) => row.user_id)
      assert.deepEqual(found, ids, query)
      assert.notProperty(body, 'pagination')
    }
    await want(400, root('GET', `/users?username=${one.username}&sort=nope`))
    const { users } = await data(200, root('GET', `/users?q=${one.username}`))
    assert.lengthOf(users, 1)
  }),
  check(2, '', async (scene) => {
    scene.review()
    const { id, path } = await scene.zone()
    const filed = await scene.data(201, scene.root('POST', `${path}/change-requests`, ADD))
    const few = await scene.want(200, scene.root('GET', `/change-requests?zone_id=${id}`))
    scene.assert.notProperty(few.body, 'pagination')
    scene.cleanup(await manyRequests(filed.change_request.id, 10_000))
    const { body } = await scene.want(200, scene.root('GET', `/change-requests?zone_id=${id}`))
    scene.assert.lengthOf(body.data.change_requests, 10_000)
    scene.assert.deepEqual(body.pagination, {
      current_page: 1,
      per_page: 10_000,
      total: 10_001,
      last_page: 2,
    })
  })
)
