import { test } from '@japa/runner'
import type { BackendZone } from '#backends/contract/backend'
import { validate } from '#tests/support/validation'
import { Bench, freshZoneName, rrset, type DriverUnderTest } from './bench.js'

/** Kind of authenticated denial of a signed zone. */
export interface Denial {
  denial: string
  /** Arguments of `pdnsutil set-nsec3`; null for NSEC. */
  nsec3: string[] | null
  /** Expected validation of a wildcard answer: with opt-out, the absence of the name is not proven. */
  wildcard: 'answer' | 'insecure'
}

export const DENIALS: Denial[] = [
  { denial: 'NSEC', nsec3: null, wildcard: 'answer' },
  { denial: 'NSEC3', nsec3: ['1 0 1 ab'], wildcard: 'answer' },
  { denial: 'narrow NSEC3', nsec3: ['1 0 1 ab', 'narrow'], wildcard: 'answer' },
  { denial: 'opt-out NSEC3', nsec3: ['1 1 1 ab'], wildcard: 'insecure' },
]

/** Signs a zone with PowerDNS' own tool. */
export async function sign(bench: Bench, zone: BackendZone, nsec3: string[] | null): Promise<void> {
  await bench.dns.util('secure-zone', zone.name)
  if (nsec3) {
    await bench.dns.util('set-nsec3', zone.name, ...nsec3)
  }
  await bench.dns.util('rectify-zone', zone.name)
}

/** Signed zones remain provable after every write, without `rectify-zone`. */
export function registerSigned(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: signed zones`, () => {
    test('a validating resolver accepts every answer and denial with {denial}')
      .with(DENIALS)
      .run(async ({ assert }, { nsec3, wildcard }) => {
        const bench = await Bench.of(driver)
        const zone = await bench.zone([['old', 'A', ['192.0.2.1']]])
        await sign(bench, zone, nsec3)
        const nameOf = (label: string) => `${label}.${zone.name}`
        const proven = (name: string, type: string) =>
          validate(bench.dns.port, zone.name, name, type)

        await bench.put(
          zone,
          rrset(nameOf('www'), 'A', ['192.0.2.2']),
          rrset(nameOf('a.b.c'), 'A', ['192.0.2.3']),
          rrset(nameOf('*.wild'), 'A', ['192.0.2.4']),
          rrset(nameOf('sub'), 'NS', [nameOf('ns.sub')]),
          rrset(nameOf('ns.sub'), 'A', ['192.0.2.5'])
        )
        await bench.remove(zone, [nameOf('old'), 'A'])

        assert.equal(await proven(zone.name, 'SOA'), 'answer')
        assert.equal(await proven(nameOf('www'), 'A'), 'answer')
        assert.equal(await proven(nameOf('a.b.c'), 'A'), 'answer')
        assert.equal(await proven(nameOf('any.wild'), 'A'), wildcard)
        assert.equal(await proven(nameOf('www'), 'TXT'), 'denial')
        assert.equal(await proven(nameOf('b.c'), 'A'), 'denial')
        assert.equal(await proven(nameOf('old'), 'A'), 'denial')
        assert.equal(await proven(nameOf('no.such'), 'A'), 'denial')
        assert.equal(await proven(nameOf('any.wild'), 'TXT'), 'denial')
        assert.equal(await proven(nameOf('sub'), 'DS'), 'denial')

        const signed = await bench.dns.query(nameOf('www'), 'A', { dnssec: true })
        assert.includeMembers(
          signed.answers.map(({ type }) => type),
          ['A', 'RRSIG']
        )
        const denied = await bench.dns.query(nameOf('nope'), 'A', { dnssec: true })
        assert.equal(denied.status, 'NXDOMAIN')
        assert.include(
          denied.authority.map(({ type }) => type),
          nsec3 ? 'NSEC3' : 'NSEC'
        )
        const referral = await bench.dns.query(nameOf('x.sub'), 'A', { dnssec: true })
        assert.notInclude(
          referral.authority.map(({ type }) => type),
          'DS'
        )
        assert.include(
          referral.authority.map(({ type }) => type),
          nsec3 ? 'NSEC3' : 'NSEC'
        )
      })

    test('a delegation with DS is a secure one', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await bench.zone()
      await sign(bench, zone, null)
      const cut = `sub.${zone.name}`
      await bench.put(
        zone,
        rrset(cut, 'NS', ['ns.elsewhere.example']),
        rrset(cut, 'DS', [`12345 13 2 ${'ab'.repeat(32)}`])
      )
      assert.equal(await validate(bench.dns.port, zone.name, cut, 'DS'), 'answer')
      const referral = await bench.dns.query(`x.${cut}`, 'A', { dnssec: true })
      assert.includeMembers(
        referral.authority.map(({ type }) => type),
        ['NS', 'DS', 'RRSIG']
      )
    })

    test('a session rectifies after keys were added and deleted, with {denial}')
      .with(DENIALS)
      .run(async ({ assert }, { nsec3 }) => {
        const bench = await Bench.of(driver)
        const zone = await bench.zone([['a.b.c', 'A', ['192.0.2.3']]])
        const proven = (label: string) =>
          validate(bench.dns.port, zone.name, `${label}.${zone.name}`, 'A')
        await bench.dns.util('secure-zone', zone.name)
        if (nsec3) {
          await bench.dns.util('set-nsec3', zone.name, ...nsec3)
        }
        await bench.locked(zone, (session, lockedZone) => session.rectify(lockedZone))
        assert.equal(await proven('a.b.c'), 'answer')
        assert.equal(await proven('b.c'), 'denial')
        assert.equal(await proven('nope'), 'denial')
        await bench.dns.util('disable-dnssec', zone.name)
        await bench.locked(zone, (session, lockedZone) => session.rectify(lockedZone))
        const plain = await bench.dns.query(`a.b.c.${zone.name}`, 'A', { dnssec: true })
        assert.deepEqual(
          plain.answers.map(({ type }) => type),
          ['A']
        )
      })

    test('a renamed zone remains provable with {denial}')
      .with(DENIALS)
      .run(async ({ assert }, { nsec3 }) => {
        const bench = await Bench.of(driver)
        const zone = await bench.zone([['a.b.c', 'A', ['192.0.2.3']]])
        await sign(bench, zone, nsec3)
        const name = freshZoneName()
        await bench.locked(zone, (session, lockedZone) => session.renameZone(lockedZone, name))
        const proven = (label: string) => validate(bench.dns.port, name, `${label}.${name}`, 'A')
        assert.equal(await proven('a.b.c'), 'answer')
        assert.equal(await proven('b.c'), 'denial')
        assert.equal(await proven('nope'), 'denial')
      })
  })
}
