import { ENDPOINTS } from '../endpoints.js'
import { check, section } from '#tests/support/conformance/check'
import type { Scene } from '#tests/support/conformance/scene'
import { unique } from '#tests/support/app/names'

type Row = Record<string, unknown>

/** Creates a zone with three address records at host1, host10 and host2, in random order. */
async function threeHosts({ zone, record }: Scene) {
  const created = await zone()
  for (const [name, ttl] of [
    ['host10', 300],
    ['host2', 100],
    ['Host1', 200],
  ] as const) {
    await record(created, name, 'A', '192.0.2.1', { ttl })
  }
  return { ...created, list: `${created.path}/records?type=A` }
}

/** Returns the first labels of the names of the rows. */
const labels = (rows: Row[], member = 'name') =>
  rows.map((row) => String(row[member]).split('.')[0].toLowerCase())

export const paging = section(
  'Paging',
  check(1, '', async (scene) => {
    const { list } = await threeHosts(scene)
    for (const query of ['', '&per_page=0', '&page=2']) {
      const { body } = await scene.want(200, scene.root('GET', list + query))
      scene.assert.lengthOf(body.data.records, 3)
      scene.assert.notProperty(body, 'pagination')
    }
  }),
  check(2, '', async (scene) => {
    const { list } = await threeHosts(scene)
    for (const [query, count, pagination] of [
      ['&per_page=2', 2, { current_page: 1, per_page: 2, total: 3, last_page: 2 }],
      ['&per_page=2&page=2', 1, { current_page: 2, per_page: 2, total: 3, last_page: 2 }],
      ['&per_page=2&page=0', 2, { current_page: 1, per_page: 2, total: 3, last_page: 2 }],
      ['&per_page=2&page=-5', 2, { current_page: 1, per_page: 2, total: 3, last_page: 2 }],
      ['&per_page=99999', 3, { current_page: 1, per_page: 10000, total: 3, last_page: 1 }],
    ] as const) {
      const { body } = await scene.want(200, scene.root('GET', list + query))
      scene.assert.lengthOf(body.data.records, count)
      scene.assert.deepEqual(body.pagination, pagination)
    }
  }),
  check(3, '', async (scene) => {
    const { list } = await threeHosts(scene)
    const { body } = await scene.want(200, scene.root('GET', `${list}&per_page=2&page=9`))
    scene.assert.deepEqual(body.data.records, [])
    scene.assert.deepInclude(body.pagination, { current_page: 9, total: 3, last_page: 2 })
  }),
  check(4, '', async (scene) => {
    const { list } = await threeHosts(scene)
    const { body } = await scene.want(200, scene.root('GET', `${list}&limit=1&offset=1&nope=x`))
    scene.assert.lengthOf(body.data.records, 3)
    scene.assert.notProperty(body, 'pagination')
  }),
  check(5, '', async ({ root, want }) => {
    for (const endpoint of ENDPOINTS.slice(0, -2)) {
      const [method, path] = endpoint.split(' ')
      const concrete = path.replace(/\{(name|type|kind)\}/g, 'x').replace(/\{\w+\}/g, '1')
      for (const query of ['type[]=A', 'page[x]=1']) {
        await want(400, root(method, `${concrete}?${query}`), /must be a single value/)
      }
    }
  }),
  check('whole', 'owners of a zone', async ({ root, zone, user, want, assert }) => {
    const { path } = await zone()
    const { id } = await user()
    await want(201, root('POST', `${path}/owners`, { user_id: id }))
    const { body } = await want(200, root('GET', `${path}/owners?per_page=1`))
    assert.lengthOf(body.data.owners, 2)
    assert.notProperty(body, 'pagination')
  })
)

export const sorting = section(
  'Sorting',
  check('fields', '', async (scene) => {
    const { list } = await threeHosts(scene)
    const sorted = async (sort: string) => {
      const { records } = await scene.data(200, scene.root('GET', `${list}&sort=${sort}`))
      return records.map((record: Row) => record.ttl)
    }
    scene.assert.deepEqual(await sorted('ttl'), [100, 200, 300])
    scene.assert.deepEqual(await sorted('ttl:asc'), [100, 200, 300])
    scene.assert.deepEqual(await sorted('ttl:desc'), [300, 200, 100])
    scene.assert.deepEqual(await sorted('content,type:desc,ttl:desc'), [300, 200, 100])
    scene.assert.deepEqual(await sorted('type,content,priority,ttl,name'), [100, 200, 300])
  }),
  check('refused', '', async (scene) => {
    const { list } = await threeHosts(scene)
    const allowed = /name.*type.*content.*ttl.*priority/
    for (const sort of ['nope', 'id', 'name:up', 'name,name', 'name:asc,name:desc']) {
      await scene.want(400, scene.root('GET', `${list}&sort=${sort}`), allowed)
    }
    const six = 'name,type,content,ttl,priority,name'
    await scene.want(400, scene.root('GET', `${list}&sort=${six}`), /5|five/)
  }),
  check('natural', 'records and RRsets', async (scene) => {
    const { list, path } = await threeHosts(scene)
    const { records } = await scene.data(200, scene.root('GET', `${list}&sort=name`))
    scene.assert.deepEqual(labels(records), ['host1', 'host2', 'host10'])
    const sets = await scene.data(200, scene.root('GET', `${path}/rrsets?type=A&sort=name`))
    scene.assert.deepEqual(labels(sets.rrsets), ['host1', 'host2', 'host10'])
  }),
  check('natural', 'groups, templates and their records', async (scene) => {
    const { root, data, template, zoneTemplate, assert } = scene
    const mark = unique('natural')
    const names = [`${mark} T10`, `${mark} t2`, `${mark} T1`]
    const wanted = [names[2], names[1], names[0]]
    const { id } = await template([], 'group')
    for (const name of names) {
      await data(201, root('POST', '/groups', { name, perm_templ_id: id }))
      await data(201, root('POST', '/permission-templates', { name, descr: '', permissions: [] }))
      await zoneTemplate({ name })
    }
    for (const [path, member] of [
      ['/groups', 'groups'],
      ['/permission-templates', 'templates'],
      ['/zone-templates', 'templates'],
    ]) {
      const query = `q=${encodeURIComponent(mark)}&sort=name`
      const found = await data(200, root('GET', `${path}?${query}`))
      assert.deepEqual(
        found[member].map((row: Row) => row.name),
        wanted,
        path
      )
    }
    const { permissions } = await data(200, root('GET', '/permissions?sort=name:desc'))
    const flags = permissions.map((row: Row) => row.name)
    assert.deepEqual(flags, [...flags].sort().reverse())
  }),
  check('zones', '', async ({ root, data, zone, assert }) => {
    const mark = unique('sorted')
    for (const number of [10, 2, 1]) await zone({ name: `host${number}.${mark}.test` })
    const sorted = async (sort: string) => {
      const { zones } = await data(200, root('GET', `/zones?q=${mark}&sort=${sort}`))
      return labels(zones)
    }
    assert.deepEqual(await sorted('name'), ['host1', 'host2', 'host10'])
    assert.deepEqual(await sorted('type,id'), ['host10', 'host2', 'host1'])
  }),
  check('users', '', async ({ root, data, user, assert }) => {
    const mark = unique('caseless')
    for (const name of ['b2', 'B10', 'a']) await user({ username: `${mark}-${name}` })
    const { users } = await data(200, root('GET', `/users?q=${mark}&sort=username`))
    const names = users.map((row: Row) => String(row.username).slice(mark.length + 1))
    assert.deepEqual(names, ['a', 'B10', 'b2'])
  }),
  check('default', '', async ({ root, data, zone, group, assert }) => {
    const mark = unique('default')
    for (const name of ['b', 'a', 'c']) await zone({ name: `${name}.${mark}.test` })
    const { zones } = await data(200, root('GET', `/zones?q=${mark}`))
    assert.deepEqual(labels(zones), ['a', 'b', 'c'])
    const one = await group()
    const other = await group(one.name.replace('conform', 'conform10'))
    const third = await group(one.name.replace('conform', 'conform2'))
    const names = [other.name, third.name, one.name]
    const { groups } = await data(200, root('GET', '/groups'))
    const listed = groups.map((row: Row) => row.name).filter((name: string) => names.includes(name))
    assert.deepEqual(listed, names.sort())
  })
)
