import { test } from '@japa/runner'
import fc from 'fast-check'
import { isWithin, ownerName, relativeName, zoneName } from '#dns/names'
import { hostileText, name, near } from '#tests/unit/dns/support/hostile_text'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'
import { taken } from '#tests/unit/dns/support/unless_refused'

test.group('properties of names', () => {
  test('the canonical form of a canonical name is itself, in ASCII', ({ assert }) => {
    const law = fc.property(fc.oneof(hostileText, fc.domain(), name.chain(near)), (text) => {
      const zone = taken(() => zoneName(text))
      if (zone !== undefined) {
        assert.match(zone, /^[a-z0-9_.\/-]{1,253}$/)
        assert.equal(zoneName(zone), zone)
      }
      const owner = taken(() => ownerName(text, 'example.org'))
      if (owner !== undefined) {
        assert.match(owner, /^(?:[a-z0-9_.*\/:@-]|\\[.\\]|\\032)+$/)
        assert.isTrue(isWithin(owner, 'example.org'))
        assert.equal(ownerName(owner, 'example.org'), owner)
        assert.equal(ownerName(`${owner}.`, 'example.org'), owner)
      }
    })
    fc.assert(law, LAW_RUNS)
  })

  test('a name relative to the apex is the same name', ({ assert }) => {
    const law = fc.property(name, name, (relative, zone) => {
      const apex = `${zone}.example`
      const owner = ownerName(`${relative}.${apex}.`, apex)
      fc.pre(!isWithin(relative, apex))
      assert.equal(relativeName(owner, apex), relative)
      assert.equal(ownerName(relativeName(owner, apex), apex), owner)
    })
    fc.assert(law, LAW_RUNS)
  })
})
