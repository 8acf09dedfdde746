import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { makeRecord, makeZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { keyFor, permissionTemplate, person, team, type Person } from '#tests/support/app/people'
import { fileOne, reviewScene, withReview } from '#tests/support/app/review'
import { plainZone, SigningServer } from '#tests/support/app/signing'
import { addTemplateRecord, makeZoneTemplate } from '#tests/support/app/zone_templates'
import { Visitor } from '#tests/support/browser/browser'
import {
  addressOf,
  INSPECTED_ELSEWHERE,
  NO_PAGES,
  NOWHERE_ELSE,
  OUTSIDE,
  pagePatterns,
  type World,
} from '#tests/support/browser/every_page'
import { soundPages, TWO_LOOKS, type Visit } from '#tests/support/browser/looks'

let server: SigningServer
let admin: Person
let world: World

/** One of everything that has a page. */
async function makeWorld(client: ApiClient): Promise<void> {
  const scene = await reviewScene(client)
  const as = scene.root
  admin = scene.admin
  const zone = await plainZone(client, admin)
  await server.call(admin.key, 'POST', `/zones/${zone.id}/dnssec`, { enabled: true })
  const keys = await server.call(admin.key, 'GET', `/zones/${zone.id}/dnssec/keys`)
  const { id: record } = await makeRecord(as, zone, {
    name: 'new',
    type: 'A',
    content: '192.0.2.3',
  })
  const ended = await makeZone(as, { name: zoneNamed() })
  await as.delete(`/zones/${ended.id}`)
  const zoneTemplate = await makeZoneTemplate(as, { is_global: true })
  await db.table('supermasters').insert({
    ip: '192.0.2.99',
    nameserver: 'ns.every-page.test',
    account: '',
  })
  const hook = await as.post('/webhooks', { name: 'every page', url: 'https://hooks.example.net/' })
  const { id: apiKey } = await keyFor(admin)
  const change = { name: 'www', type: 'A', content: '192.0.2.9', ttl: 300 }
  const { id: event } = await db.from('zw_audit').orderBy('id', 'desc').firstOrFail()
  const { id: user } = await person()
  const crew = await team(['zone_content_view_own'])
  const rights = await permissionTemplate('user', ['zone_content_view_own'])
  world = {
    zone: zone.id,
    record: String(record),
    keyId: keys.body.data[0].id,
    deleted: await idOf('zw_trash', 'zone_name', ended.name),
    user,
    group: crew.id,
    template: rights.id,
    zoneTemplate,
    templateRecord: await addTemplateRecord(as, zoneTemplate, 'www', 'A', '192.0.2.1'),
    apiKey,
    request: await fileOne(scene.asRequester, scene.zone, { op: 'add', record: change }),
    webhook: hook.body().data.webhook.id,
    event: Number(event),
  }
}

async function idOf(table: string, column: string, value: string): Promise<number> {
  const row: { id: number } = await db.from(table).where(column, value).firstOrFail()
  return Number(row.id)
}

const fileName = (pattern: string) => `every${pattern.replaceAll(/[^a-z]+/g, '-')}`

test.group('Every page', (group) => {
  group.each.timeout(180_000)
  group.setup(withReview())
  group.setup(async () => {
    server = await SigningServer.start({ APPROVAL_ENABLED: 'true' })
    return async () => {
      await server.stop()
      await db.from('supermasters').where('nameserver', 'ns.every-page.test').delete()
      await db.from('zw_webhooks').delete()
    }
  })

  let ready: Promise<void> | undefined
  group.each.setup((t) => (ready ??= makeWorld(t.context.client)))

  const left = () => {
    const known = [...Object.keys(NO_PAGES), ...Object.keys(INSPECTED_ELSEWHERE)]
    return pagePatterns().filter((pattern) => !known.includes(pattern))
  }

  test('tables of pages name nothing that is not there', ({ assert }) => {
    const patterns = pagePatterns()
    const named = [NO_PAGES, INSPECTED_ELSEWHERE].flatMap((table) => Object.keys(table))
    assert.includeMembers(patterns, [...named, ...OUTSIDE, ...NOWHERE_ELSE])
  })

  test('each is sound, whatever its test', async ({ assert }) => {
    const visitor = await Visitor.arrive({ base: server.url })
    const outside: Visit[] = OUTSIDE.map((path) => [fileName(path), path])
    await soundPages(visitor, assert, outside, 'light')
    await visitor.signIn(admin)
    const inside = left().filter((pattern) => !OUTSIDE.includes(pattern))
    for (const pattern of inside) {
      const path = addressOf(pattern, world)
      const answer = await visitor.page.goto(path)
      assert.equal(answer?.status(), 200, path)
      // What has no page of its own leads to that of something else.
      assert.equal(new URL(visitor.page.url()).pathname, path.split('?')[0])
      await visitor.picture(`${fileName(pattern)}-light`)
      await visitor.inspect(assert)
    }
    await visitor.leave()
  })

  test('those that no other test looks at are sound in the dark, narrow, from right to left', async ({
    assert,
  }) => {
    const visitor = await Visitor.arrive({ ...TWO_LOOKS.odd, base: server.url })
    const visits = (patterns: string[]): Visit[] =>
      patterns.map((pattern) => [fileName(pattern), addressOf(pattern, world)])
    const isOutside = (pattern: string) => OUTSIDE.includes(pattern)
    await soundPages(visitor, assert, visits(NOWHERE_ELSE.filter(isOutside)), 'odd')
    await visitor.signIn(admin)
    const inside = NOWHERE_ELSE.filter((pattern) => !isOutside(pattern))
    await soundPages(visitor, assert, visits(inside), 'odd')
    await visitor.leave()
  })
})
