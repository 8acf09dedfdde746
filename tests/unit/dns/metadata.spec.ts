import { test } from '@japa/runner'
import { InvalidDns } from '#dns/errors'
import { METADATA_KINDS } from '#dns/metadata/kinds'
import {
  metadataConflict,
  metadataKind,
  metadataValues,
  sameValues,
  writableKind,
} from '#dns/metadata/metadata'

const POLICIES = ['DEFAULT', 'INCREASE', 'EPOCH', 'SOA-EDIT', 'SOA-EDIT-INCREASE']
const SALT = 'ab'.repeat(255)

/** Accepted values, and their stored form. */
const TAKEN: [kind: string, given: string, stored?: string][] = [
  ['ALLOW-AXFR-FROM', '192.0.2.1'],
  ['ALLOW-AXFR-FROM', '192.0.2.77/24', '192.0.2.0/24'],
  ['ALLOW-AXFR-FROM', ' 2001:DB8::/32 ', '2001:db8::/32'],
  ['ALLOW-AXFR-FROM', '0.0.0.0/0'],
  ['ALLOW-AXFR-FROM', 'auto-ns', 'AUTO-NS'],
  ['ALLOW-DNSUPDATE-FROM', '2001:DB8:0::1', '2001:db8::1'],
  ['ALLOW-DNSUPDATE-FROM', ' !192.0.2.77/24 ', '!192.0.2.0/24'],
  ['ALLOW-DNSUPDATE-FROM', '! 2001:DB8:0::1', '!2001:db8::1'],
  ['ALSO-NOTIFY', '192.0.2.1:5300'],
  ['ALSO-NOTIFY', '[2001:db8::1]:5300'],
  ['ALSO-NOTIFY', '2001:db8::1'],
  ['AXFR-SOURCE', '192.0.2.1'],
  ['AXFR-MASTER-TSIG', 'Transfer.Key.', 'transfer.key'],
  ['TSIG-ALLOW-AXFR', 'key_1'],
  ['NSEC3PARAM', '1 0 0 -'],
  ['NSEC3PARAM', ' 1  1 100 ABCD', '1 1 100 abcd'],
  ['NSEC3PARAM', `1 0 0 ${SALT}`],
  ['NSEC3NARROW', '0'],
  ['PUBLISH-CDS', '2, 4', '2,4'],
  ['PUBLISH-CDS', '0'],
  ['PUBLISH-CDNSKEY', '1'],
  ['SOA-EDIT', 'inception-epoch', 'INCEPTION-EPOCH'],
  ['SOA-EDIT', 'NONE'],
  ...POLICIES.flatMap((policy): [string, string][] => [
    ['SOA-EDIT-API', policy],
    ['SOA-EDIT-DNSUPDATE', policy],
  ]),
  ['LUA-AXFR-SCRIPT', '/etc/powerdns/edit zone.lua'],
  ['LUA-AXFR-SCRIPT', 'none', 'NONE'],
  ['GSS-ACCEPTOR-PRINCIPAL', 'DNS/ns1.example.org@REALM'],
  ['FORWARD-DNSUPDATE', 'yes'],
  ['X-ANYTHING', ' any text, with = signs '],
  ['MY-OWN', '1'],
]

const REFUSED: [kind: string, given: string][] = [
  ['ALLOW-AXFR-FROM', 'localhost'],
  ['ALLOW-AXFR-FROM', '192.0.2.0/33'],
  ['ALLOW-AXFR-FROM', '192.0.2.*'],
  ['ALLOW-AXFR-FROM', '!192.0.2.1'],
  ['ALLOW-AXFR-FROM', ''],
  ['ALLOW-DNSUPDATE-FROM', 'AUTO-NS'],
  ['ALLOW-DNSUPDATE-FROM', '192.0.2.1:53'],
  ['ALLOW-DNSUPDATE-FROM', '!'],
  ['ALLOW-DNSUPDATE-FROM', '!!192.0.2.1'],
  ['ALLOW-DNSUPDATE-FROM', '!AUTO-NS'],
  ['ALSO-NOTIFY', '!192.0.2.1'],
  ['ALSO-NOTIFY', 'ns1.example.org'],
  ['ALSO-NOTIFY', '192.0.2.1:0'],
  ['ALSO-NOTIFY', '192.0.2.1:65536'],
  ['ALSO-NOTIFY', '192.0.2.0/24'],
  ['AXFR-SOURCE', '192.0.2.1:53'],
  ['AXFR-MASTER-TSIG', 'a key'],
  ['AXFR-MASTER-TSIG', 'a'.repeat(64)],
  ['TSIG-ALLOW-AXFR', ''],
  ['NSEC3PARAM', '1 0 0'],
  ['NSEC3PARAM', '2 0 0 -'],
  ['NSEC3PARAM', '1 2 0 -'],
  ['NSEC3PARAM', '1 0 101 -'],
  ['NSEC3PARAM', '1 0 0 abc'],
  ['NSEC3PARAM', `1 0 0 ${SALT}ab`],
  ['NSEC3PARAM', '1 0 0 xy'],
  ['NSEC3PARAM', '1 0 0 - -'],
  ['NSEC3NARROW', 'yes'],
  ['PUBLISH-CDS', '3'],
  ['PUBLISH-CDS', '0,2'],
  ['PUBLISH-CDS', '2,'],
  ['PRESIGNED', '2'],
  ['SOA-EDIT', 'DEFAULT'],
  ['SOA-EDIT-API', 'OFF'],
  ['SOA-EDIT-API', ''],
  ['SOA-EDIT-DNSUPDATE', 'INCEPTION-EPOCH'],
  ['LUA-AXFR-SCRIPT', 'edit.lua'],
  ['GSS-ALLOW-AXFR-PRINCIPAL', 'two words'],
  ['X-ANYTHING', 'two\nlines'],
  ['X-ANYTHING', 'Zürich'],
  ['X-ANYTHING', '   '],
  ['X-ANYTHING', 'x'.repeat(4097)],
]

test.group('Metadata of zones', () => {
  for (const [kind, given, stored = given] of TAKEN) {
    test(`${kind} accepts "${given.slice(0, 40)}"`, ({ assert }) => {
      assert.deepEqual(metadataValues(kind, [given]), [stored])
      // A stored value is accepted unchanged.
      assert.deepEqual(metadataValues(kind, [stored]), [stored])
    })
  }

  for (const [kind, given] of REFUSED) {
    test(`${kind} refuses "${given.slice(0, 40)}" with the accepted values`, ({ assert }) => {
      const { allowed } = metadataKind(kind).value
      const attempt = () => metadataValues(kind.toLowerCase(), ['', given].slice(1))
      assert.throws(attempt, InvalidDns)
      try {
        attempt()
      } catch (error) {
        assert.include((error as Error).message, `is not a value of ${kind}; allowed: ${allowed}`)
      }
    })
  }

  test('a value counts once in any of its forms', ({ assert }) => {
    const values = metadataValues('ALLOW-AXFR-FROM', ['192.0.2.0/24', '192.0.2.5/24', 'AUTO-NS'])
    assert.deepEqual(values, ['192.0.2.0/24', 'AUTO-NS'])
    assert.isTrue(sameValues(['a', 'b'], ['b', 'a']))
    assert.isFalse(sameValues(['a', 'b'], ['a']))
  })

  test('a kind is case-insensitive; unknown kinds are lists of text', ({ assert }) => {
    assert.equal(metadataKind('Soa-Edit').kind, 'SOA-EDIT')
    assert.containsSubset(metadataKind('x-y'), { kind: 'X-Y', isList: true, overApi: 'metadata' })
    assert.equal(metadataKind('MINE').overApi, 'none')
    assert.equal(writableKind('x-y'), 'X-Y')
    for (const name of ['', 'a b', 'ä', 'x'.repeat(33)]) {
      assert.throws(() => writableKind(name), InvalidDns)
    }
  })

  test('NSEC3NARROW requires NSEC3PARAM', ({ assert }) => {
    assert.isNull(metadataConflict({}))
    assert.isNull(metadataConflict({ NSEC3NARROW: ['0'] }))
    assert.isNull(metadataConflict({ NSEC3NARROW: ['1'], NSEC3PARAM: ['1 0 0 -'] }))
    assert.isString(metadataConflict({ NSEC3NARROW: ['1'] }))
    assert.isString(metadataConflict({ NSEC3NARROW: ['1'], NSEC3PARAM: [] }))
  })

  test('kinds are listed once, by name, and fit the column', ({ assert }) => {
    const names = METADATA_KINDS.map(({ kind }) => kind)
    assert.deepEqual(names, [...new Set(names)].sort())
    names.forEach((name) => assert.equal(writableKind(name), name))
  })

  test('each kind has an example in its stored form', ({ assert }) => {
    for (const { kind, value } of METADATA_KINDS) {
      assert.deepEqual(metadataValues(kind, [value.example]), [value.example], kind)
    }
  })
})
