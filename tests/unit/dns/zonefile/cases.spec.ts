import { globSync } from 'node:fs'
import { test } from '@japa/runner'
import { parseZoneFile, writeZoneFile } from '#dns/zonefile/index'
import { FOLDER, ORIGINS, readCase } from './cases.js'
import { exportAndImport } from './helpers.js'

test.group('zone files of other programs', () => {
  test('every file is a case', ({ assert }) => {
    const files = Object.keys(ORIGINS).map((name) => `${name}.txt`)
    assert.sameMembers(globSync('**/*.txt', { cwd: FOLDER }), files)
  })

  test('{$self} is read as expected')
    .with(Object.keys(ORIGINS))
    .run(({ assert }, name) => {
      const apex = ORIGINS[name]
      const { zone: text, expected } = readCase(name)
      const zone = parseZoneFile(text, { origin: apex })
      const problems = zone.problems.map(({ severity, message }) => `${severity}: ${message}\n`)
      const written = [...writeZoneFile({ apex, ...zone })].join('')
      assert.equal(problems.join('') + written, expected)
    })

  test('{$self} is the same after export and import')
    .with(Object.keys(ORIGINS))
    .run(({ assert }, name) => {
      const origin = ORIGINS[name]
      exportAndImport(assert, origin, parseZoneFile(readCase(name).zone, { origin }))
    })
})
