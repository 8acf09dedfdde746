import { test } from '@japa/runner'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  createTeam,
  type Person,
  type Team,
} from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'

const SORTS = ['', 'name', 'name:desc', 'type:desc,name', 'id:desc']

/** Pages of zones for a user who sees some zones: owned directly, and through two groups. */
test.group('Pages of owned zones', (group) => {
  let root: Caller
  let user: Person
  let as: Caller
  let teams: Team[]
  let zones: { id: number; name: string }[]

  group.each.timeout(60_000)
  group.each.setup(async () => {
    teams = [
      await createTeam(['zone_content_view_own']),
      await createTeam(['zone_content_view_own']),
    ]
    user = await person({ template: 'Zone Manager', groups: teams.map(({ name }) => name) })
  })

  async function fill(client: Parameters<typeof caller>[0]) {
    root = caller(client, await administrator())
    as = caller(client, user)
    const word = unique('o')
    zones = []
    for (let i = 0; i < 14; i++) {
      const type = i % 3 === 0 ? 'NATIVE' : 'MASTER'
      const owner = i % 4 === 0 ? {} : { owner_user_id: user.id }
      const zone = await createZone(root, { name: `z${(i * 5) % 14}.${word}.test`, type, ...owner })
      const owns = teams.filter((_, index) => (i + index) % 5 === 0)
      for (const { id } of owns) await expectStatus(give(id, zone.id), 201)
      if (i % 4 !== 0 || owns.length > 0) zones.push(zone)
    }
  }

  const give = (to: number, zone: number) => root.post(`/groups/${to}/zones`, { zone_id: zone })
  const ids = async (whom: Caller, query: string): Promise<number[]> => {
    const found: { id: number }[] = await dataOf(whom.get(`/zones?${query}`), 'zones')
    return found.map(({ id }) => id)
  }
  const inPages = async (whom: Caller, query: string): Promise<number[]> => {
    const all: number[] = []
    for (let page = 1; ; page++) {
      const found = await ids(whom, `${query}&per_page=4&page=${page}`)
      if (found.length === 0) return all
      all.push(...found)
    }
  }
  const sorted = (numbers: number[]) => numbers.toSorted((one, other) => one - other)

  test('pages match the complete list in each order, also from the cache', async ({
    client,
    assert,
  }) => {
    await fill(client)
    for (const sort of [...SORTS, ...SORTS]) {
      const whole = await ids(as, `sort=${sort}`)
      assert.deepEqual(sorted(whole), sorted(zones.map(({ id }) => id)), sort)
      assert.deepEqual(await inPages(as, `sort=${sort}`), whole, sort)
      const some = await ids(as, `sort=${sort}&q=z1`)
      assert.isAtLeast(some.length, 2)
      assert.deepEqual(await inPages(as, `sort=${sort}&q=z1`), some, `${sort}, with a text`)
    }
  })

  test('the next request follows changes of zones and owners', async ({ client, assert }) => {
    await fill(client)
    const page = () => ids(as, 'sort=name&per_page=50&page=1')
    const [first, second, third] = await page()
    await expectStatus(root.delete(`/zones/${first}`), 204)
    assert.notInclude(await page(), first)
    await expectStatus(root.put(`/zones/${second}`, { name: `${unique('zz')}.zz.test` }), 200)
    const renamed = await page()
    assert.equal(renamed.at(-1), second)
    const ownZone = await createZone(as, { name: `${unique('aa')}.aa.test`, type: 'NATIVE' })
    assert.include(await page(), ownZone.id)
    const stranger = await createZone(root, { name: `${unique('bb')}.bb.test`, type: 'NATIVE' })
    assert.notInclude(await page(), stranger.id)
    await expectStatus(give(teams[1].id, stranger.id), 201)
    assert.include(await page(), stranger.id)
    await expectStatus(root.delete(`/groups/${teams[1].id}/zones/${stranger.id}`), 200)
    assert.notInclude(await page(), stranger.id)
    assert.include(await page(), third)
  })

  test('pages only contain zones that a key reaches', async ({ client, assert }) => {
    await fill(client)
    const reached = [zones[1], zones[4], zones[5]]
    const key = await keyFor(user, { zones: reached })
    const asLimitedKey = caller(client, key)
    assert.lengthOf(await inPages(as, 'sort=name'), zones.length)
    assert.deepEqual(
      sorted(await inPages(asLimitedKey, 'sort=name')),
      sorted(reached.map(({ id }) => id))
    )
    assert.lengthOf(await inPages(as, 'sort=name'), zones.length)
  })

  test('ownership is queried once per version of the list', async ({ client, assert }) => {
    await fill(client)
    const page = () => ids(as, 'sort=name&per_page=4&page=2')
    const first = await statementsOf(page)
    const second = await statementsOf(page)
    assert.isBelow(second.length, first.length)
    assert.isFalse(second.some((sql) => /count\(|limit \S+ offset/i.test(sql)))
  })
})
