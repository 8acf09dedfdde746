// @api-backend
import { test } from '@japa/runner'
import { parseStrings } from '#dns/rdata/character_strings'
import { recordTypes } from '#dns/records/registry'
import { writeZoneFile } from '#dns/zonefile/index'
import { caller, dataOf, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { setsOf, wholeFile } from '#tests/support/app/zones/zone_files'
import type { RRset } from '#dns/types'
import { PowerDns } from '#tests/support/powerdns'
import { runProgram } from '#tests/support/programs'
import { transferOf } from '#tests/support/powerdns'
import { RECORD_TABLES } from '#tests/unit/dns/support/record_tables'

/** Returns every valid row of every user-editable type that PowerDNS 4.7 serves, each at a unique name. */
function rowsAsSets(apex: string): RRset[] {
  const types = recordTypes().filter(
    ({ type, writer, since }) => writer !== 'server' && since === undefined && type !== 'SOA'
  )
  return types.flatMap(({ type }) => {
    const { canonical, accepted, name: owner = '', priority = 0 } = RECORD_TABLES[type]
    const contents = [...canonical, ...accepted.map(([, stored]) => stored)]
    const services = owner.split('.').filter((label) => label.startsWith('_'))
    return contents.map((content, index) => ({
      name: [...services, `r${index}-${type.toLowerCase()}`, apex].join('.'),
      type,
      ttl: 300,
      records: [{ content, priority, disabled: false }],
    }))
  })
}

function fileOfSets(apex: string, rrsets: RRset[]): string {
  return wholeFile('@ NS ns1.example.net.') + [...writeZoneFile({ apex, rrsets })].join('')
}

/** Returns true if dig can read the record in a transfer, and PowerDNS sends it unchanged. */
function isTransferable({ type, records: [{ content }] }: RRset): boolean {
  if (type === 'IPSECKEY') return content.split(' ')[2] !== '0'
  return type !== 'LUA' || !content.includes('\\')
}

test.group('Contents from a zone file to the wire and back', (group) => {
  let as: Caller
  let server: PowerDns
  group.each.timeout(120_000)
  group.setup(async () => {
    server = await PowerDns.ofRun({ settings: { 'enable-lua-records': 'yes' } })
    return () => server.stop()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
  })

  /** Returns the bytes of a TXT record in the server's answer. */
  async function answered(name: string): Promise<string> {
    const output = await runProgram('dig', [
      ...['-r', '@127.0.0.1', '-p', String(server.port), '-q', `${name}.`, '-t', 'TXT'],
      ...['+norecurse', '+short', '+tcp', '+time=3'],
    ])
    return bytes(output.trim())
  }
  const bytes = (content: string) => Buffer.concat(parseStrings(content)).toString('latin1')

  const ALL_BYTES = Array.from({ length: 256 }, (_, at) => `\\${String(at).padStart(3, '0')}`)
  const decoded = Buffer.from(Array.from({ length: 256 }, (_, at) => at)).toString('latin1')

  const TEXTS: [what: string, written: string, meant: string][] = [
    ['blanks, comments and parentheses', '"a;b (c) d" "second  part"', 'a;b (c) dsecond  part'],
    ['quoted parentheses', '"(" ")"', '()'],
    ['escaped quotes', '"say \\"no\\""', 'say "no"'],
    ['a decimal escape', '"a\\032b"', 'a b'],
    ['an escaped backslash', '"c:\\\\d"', 'c:\\d'],
    ['strings over lines', '( "one" ; not this\n  "two" )', 'onetwo'],
    ['every byte', `"${ALL_BYTES.join('')}"`, decoded],
    ['4000 bytes', `"${'abcdefghij'.repeat(400)}"`, 'abcdefghij'.repeat(400)],
    ['4000 escapes', `"${ALL_BYTES.join('').repeat(15)}"`, decoded.repeat(15)],
  ]

  test('texts keep every byte: {0}')
    .with(TEXTS)
    .run(async ({ assert }, [, written, meant]) => {
      const zone = await createZone(as, { name: zoneNamed() })
      const path = `/zones/${zone.id}`
      const response = await as.post(`${path}/import`, {
        zone_file: wholeFile(`t TXT ${written}`),
      })
      assert.equal(response.status(), 200, response.text())
      assert.equal(await answered(`t.${zone.name}`), meant)
      const text = await dataOf(as.get(`${path}/export`), 'zone_file')
      const [set] = setsOf(zone.name, text).filter(({ type }) => type === 'TXT')
      assert.equal(bytes(set.records[0].content), meant)
      const secondResponse = await as.post(`${path}/import`, { zone_file: text, dry_run: true })
      assert.deepEqual(secondResponse.body().data.plan.zones[0].changes, [])
    })

  // The API of PowerDNS 4.7 reads fewer contents than its tables: no SvcParams with escapes, no hosts that begin with '_'.
  test('every valid row of every user-editable type survives export and import', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const rrsets = rowsAsSets(zone.name)
    const file = fileOfSets(zone.name, rrsets)
    assert.notInclude(file, ';invalid')
    const response = await as.post(`/zones/${zone.id}/import`, { zone_file: file })
    assert.equal(response.status(), 200, response.text())
    const text = await dataOf(as.get(`/zones/${zone.id}/export`), 'zone_file')
    const found = new Map(
      setsOf(zone.name, text).map(({ name, type, records }) => [`${name} ${type}`, records])
    )
    for (const { name, type, records } of rrsets) {
      assert.deepEqual(found.get(`${name} ${type}`), records, `${name} ${type}`)
    }
    assert.equal(found.size, rrsets.length + 2)
    const secondResponse = await as.post(`/zones/${zone.id}/import`, {
      zone_file: text,
      dry_run: true,
    })
    assert.deepEqual(secondResponse.body().data.plan.zones[0].changes, [])
  }).tags(['@sql'])

  test('a zone transferred as generic data equals the zone transferred as text', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const rrsets = rowsAsSets(zone.name).filter(isTransferable)
    const path = `/zones/${zone.id}/import`
    const first = await as.post(path, { zone_file: fileOfSets(zone.name, rrsets) })
    assert.equal(first.status(), 200, first.text())

    const text = await transferOf(server, zone.name)
    const data = await transferOf(server, zone.name, '+unknownformat')
    const sets = setsOf(zone.name, data)
    assert.deepEqual(sets, setsOf(zone.name, text))
    // PowerDNS omits foreign DNSSEC keys unless `direct-dnskey` is set.
    const left = rrsets.filter(({ type }) => !['CDNSKEY', 'CDS', 'DNSKEY'].includes(type))
    assert.lengthOf(sets, left.length + 2)

    const imported = await as.post(path, { zone_file: data })
    assert.equal(imported.status(), 200, imported.text())
    const secondResponse = await as.post(path, { zone_file: text, dry_run: true })
    assert.deepEqual(secondResponse.body().data.plan.zones[0].changes, [])
  }).tags(['@sql'])
})
