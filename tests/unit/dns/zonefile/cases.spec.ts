import { readdirSync, readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { parseZoneFile, writeZoneFile, type ZoneFileContents } from '#dns/zonefile/index'

/* Each folder of cases/ has a zone file in the style of a maker, and what reading and writing makes of it. */

const FOLDER = new URL('cases/', import.meta.url)
const ORIGINS: Record<string, string> = {
  'bind-generate': 'office.example',
  'cloudflare': 'cf.example',
  'dig-axfr': 'dig.example',
  'hand-written': 'hand.example',
  'hostile-texts': 'txt.example',
  'knot': 'knot.example',
  'nsd': 'nsd.example',
  'own-export': 'own.example',
  'pdnsutil-list-zone': 'pdns.example',
  'powerdns-api-export': 'api.example',
  'reverse-rfc2317': '2.0.192.in-addr.arpa',
  'route53-cli53': 'aws.example',
  'signed-transfer': 'signed.example',
  'tinydns': 'tiny.example',
  'windows-dns': 'win.example',
}

const read = (folder: string, file: string) =>
  readFileSync(new URL(`${folder}/${file}`, FOLDER), 'utf8')

function written(apex: string, { rrsets, comments }: ZoneFileContents): string {
  return [...writeZoneFile({ apex, rrsets, comments })].join('')
}

test.group('zone files of many makers', () => {
  test('every folder is a case', ({ assert }) => {
    assert.deepEqual(readdirSync(FOLDER).sort(), Object.keys(ORIGINS).sort())
  })

  test('{$self} is read as expected')
    .with(Object.keys(ORIGINS))
    .run(({ assert }, folder) => {
      const origin = ORIGINS[folder]
      const zone = parseZoneFile(read(folder, 'zone.txt'), { origin })
      const problems = zone.problems.map(({ severity, message }) => `${severity}: ${message}\n`)
      assert.equal(problems.join('') + written(origin, zone), read(folder, 'expected.txt'))
    })

  test('{$self} is the same after export and import')
    .with(Object.keys(ORIGINS))
    .run(({ assert }, folder) => {
      const origin = ORIGINS[folder]
      const zone = parseZoneFile(read(folder, 'zone.txt'), { origin })
      const exported = written(origin, zone)
      const again = parseZoneFile(exported, { origin })
      assert.deepEqual(again.problems, [])
      assert.deepEqual(again.rrsets, zone.rrsets)
      assert.deepEqual(again.comments, zone.comments)
      assert.equal(written(origin, again), exported)
    })
})
