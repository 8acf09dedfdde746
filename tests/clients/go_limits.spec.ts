import { test } from '@japa/runner'
import { baseUrl, caller, createZone, statusOf } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { GoHttp } from '#tests/support/go_clients/http'
import { ExternalDns } from '#tests/support/go_clients/webhooks'

/** Maximum response size of the Go clients; a longer response fails. */
const MAX_BYTES = 2 ** 20

test.group('Response limit of 1 MiB in the Go clients', (group) => {
  group.each.timeout(60_000)
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('7000 addresses of a zone fit, and more are returned in pages', async ({
    client,
    assert,
  }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed('m') })
    const lines = Array.from(
      { length: 7_000 },
      (_, index) => `host-${index} 300 IN A 198.18.${index >> 8}.${index & 255}`
    )
    const body = { zone_file: `${lines.join('\n')}\n`, mode: 'merge' }
    const response = await as.post(`/zones/${zone.id}/import`, body)
    response.assertStatus(200)
    const records = await new ExternalDns(baseUrl(), admin.key).records(zone.id)
    assert.lengthOf(
      records.filter(({ type }) => type === 'A'),
      7_000
    )
    const http = new GoHttp(baseUrl(), { 'x-api-key': admin.key })
    const page = await http.send('GET', `/zones/${zone.id}/records?per_page=5000`)
    assert.isBelow(page.bytes, MAX_BYTES)
  })

  test('10 000 zones with names of twenty characters fit', async ({ client, assert }) => {
    const owner = await person({ template: 'Editor' })
    const as = caller(client, admin)
    const http = new GoHttp(baseUrl(), { 'x-api-key': owner.key })
    const { bytes: before } = await http.send('GET', '/zones')
    for (let count = 0; count < 10; count += 1) {
      await createZone(as, { name: zoneNamed('a'), owner_user_id: owner.id })
    }
    const { bytes } = await http.send('GET', '/zones')
    const idDigits = 2 * 4
    assert.isBelow(((bytes - before) / 10 + idDigits) * 10_000, MAX_BYTES)
  })

  test('responses are uncompressed and complete, and never redirect', async ({ assert }) => {
    const http = new GoHttp(baseUrl(), { 'x-api-key': admin.key })
    const { headers, bytes } = await http.send('GET', '/zones')
    assert.isUndefined(headers['content-encoding'])
    assert.equal(Number(headers['content-length'] ?? bytes), bytes)
    for (const path of ['/zones/', '//zones', '/Zones', '/zones/1/']) {
      assert.equal(await statusOf(http.send('GET', path)), 404, path)
    }
  })
})
