import { readdirSync, readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { parseZoneFile } from '#dns/zonefile/index'
import { exportAndImport } from './helpers.js'

/*
 * programs/ has one zone, source.txt, in the output of other programs: PowerDNS 4.7, BIND 9.18, Knot DNS 3.2, NSD 4.6
 * and ldns 1.8. They loaded the source, or transferred the zone from PowerDNS.
 */

const FOLDER = new URL('programs/', import.meta.url)
const ORIGIN = 'real.example'

const read = (file: string) =>
  parseZoneFile(readFileSync(new URL(file, FOLDER), 'utf8'), { origin: ORIGIN })

test.group('one zone written by several programs', () => {
  const source = read('source.txt')

  test('the source is read without a problem', ({ assert }) => {
    assert.deepEqual(source.problems, [])
    assert.lengthOf(source.records, 26)
  })

  test('{$self} is the same zone, also after export and import')
    .with(readdirSync(FOLDER).sort())
    .run(({ assert }, file) => {
      const zone = read(file)
      assert.deepEqual(zone.problems, [])
      assert.deepEqual(zone.rrsets, source.rrsets)
      exportAndImport(assert, ORIGIN, zone)
    })
})
