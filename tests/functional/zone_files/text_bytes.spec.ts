// @databases @api-backend
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { BackendManager } from '#backends/manager'
import { parseZoneFile, writeZoneFile } from '#dns/zonefile/index'
import { caller, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { PowerDns } from '#tests/support/powerdns'
import { answeredData, rawTcpQuery } from '#tests/support/raw_query'
import { longText, TEXTS } from '#tests/unit/dns/support/txt_texts'

const TXT = 16

/** Returns the data of a TXT record: each string after its length (RFC 1035, section 3.3.14). */
function wire(strings: Buffer[]): string {
  const parts = strings.flatMap((bytes) => [Buffer.from([bytes.length]), bytes])
  return Buffer.concat(parts).toString('hex')
}

test.group('Bytes of TXT records', (group) => {
  let as: Caller
  let server: PowerDns
  group.each.timeout(60_000)
  group.setup(async () => {
    server = await PowerDns.ofRun()
    return () => server.stop()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
  })

  test('{title}: accepted contents are served and exported with the same bytes')
    .with([...TEXTS, longText(4000), longText(20_000)])
    .run(async ({ assert }, { content, strings }) => {
      const zone = await createZone(as, { name: zoneNamed() })
      const name = `text.${zone.name}`
      const body = { name: 'text', type: 'TXT', content, ttl: 60 }
      const response = await as.post(`/zones/${zone.id}/records`, body)
      assert.equal(response.status(), 201, response.text())

      const answer = await rawTcpQuery(server.port, name, TXT)
      assert.deepEqual(
        answeredData(answer).map((data) => data.toString('hex')),
        [wire(strings)]
      )

      const manager = await app.container.make(BackendManager)
      const backend = manager.use()
      const stored = await backend.findZone(zone.id)
      const rrsets = await backend.rrsetsAt(stored!, [name])
      const file = [...writeZoneFile({ apex: zone.name, rrsets })].join('')
      const read = parseZoneFile(file, { origin: zone.name })
      assert.deepEqual(read.problems, [])
      assert.deepEqual(
        read.rrsets.map(({ records }) => records.map((record) => record.content)),
        rrsets.map(({ records }) => records.map((record) => record.content))
      )
    })
})
