import { readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import { parseZoneFile, writeZoneFile } from '#dns/zonefile/index'
import { FOLDER, ORIGINS, readCase } from './cases.js'
import { exportAndImport } from './helpers.js'

test.group('zone files of many makers', () => {
  test('every folder is a case', ({ assert }) => {
    assert.deepEqual(readdirSync(FOLDER).sort(), Object.keys(ORIGINS).sort())
  })

  test('{$self} is read as expected')
    .with(Object.keys(ORIGINS))
    .run(({ assert }, folder) => {
      const apex = ORIGINS[folder]
      const zone = parseZoneFile(readCase(folder, 'zone.txt'), { origin: apex })
      const problems = zone.problems.map(({ severity, message }) => `${severity}: ${message}\n`)
      const written = [...writeZoneFile({ apex, ...zone })].join('')
      assert.equal(problems.join('') + written, readCase(folder, 'expected.txt'))
    })

  test('{$self} is the same after export and import')
    .with(Object.keys(ORIGINS))
    .run(({ assert }, folder) => {
      const origin = ORIGINS[folder]
      exportAndImport(assert, origin, parseZoneFile(readCase(folder, 'zone.txt'), { origin }))
    })
})
