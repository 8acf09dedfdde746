import { createECDH, generateKeyPairSync } from 'node:crypto'
import { test } from '@japa/runner'
import { keyTag, roleOf } from '#dns/dnssec/key_roles'
import { parsePrivateKey, UnreadableKey } from '#dns/dnssec/private_key'
import { cpuMs } from '#tests/support/cpu_time'

const EC = 'Private-key-format: v1.2\nAlgorithm: 13 (ECDSAP256SHA256)\nPrivateKey: '
const SECRET = Buffer.alloc(32, 7).toString('base64')

/** Returns an RSA key in BIND format. */
function rsaText(bits: number): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  const jwk = privateKey.export({ format: 'jwk' })
  const of = (name: string) => Buffer.from(String(jwk[name]), 'base64url').toString('base64')
  return [
    'Private-key-format: v1.3',
    'Algorithm: 8 (RSASHA256)',
    `Modulus: ${of('n')}`,
    `PublicExponent: ${of('e')}`,
    `PrivateExponent: ${of('d')}`,
    `Prime1: ${of('p')}`,
    `Prime2: ${of('q')}`,
    `Exponent1: ${of('dp')}`,
    `Exponent2: ${of('dq')}`,
    `Coefficient: ${of('qi')}`,
    'Created: 20260101000000',
    '',
  ].join('\n')
}

/** Returns the order of the curve: the largest accepted private key plus one, found by bisection. */
function orderOf(curve: string, octets: number): bigint {
  let [taken, refused] = [1n, 2n ** BigInt(octets * 8)]
  while (refused - taken > 1n) {
    const middle = (taken + refused) / 2n
    try {
      createECDH(curve).setPrivateKey(middle.toString(16).padStart(octets * 2, '0'), 'hex')
      taken = middle
    } catch {
      refused = middle
    }
  }
  return refused
}

test.group('Private keys', () => {
  test('private keys are read with their required fields, and written without others', ({
    assert,
  }) => {
    const text = `${EC}${SECRET}\r\nCreated: 20260101000000\r\nPublish: 20260101000000\r\n`
    assert.deepEqual(parsePrivateKey(text), {
      algorithm: 13,
      text: `Private-key-format: v1.2\nAlgorithm: 13\nPrivateKey: ${SECRET}\n`,
    })
  })

  test('RSA keys are accepted if their numbers are consistent', ({ assert }) => {
    const text = rsaText(1024)
    const { algorithm, text: written } = parsePrivateKey(text)
    assert.equal(algorithm, 8)
    assert.equal(parsePrivateKey(written).text, written)
    const [, prime] = /Prime1: (\S+)/.exec(text)!
    assert.throws(
      () => parsePrivateKey(text.replace(/Prime2: \S+/, `Prime2: ${prime}`)),
      /do not belong to one RSA key/
    )
    assert.throws(() => parsePrivateKey(text.replace(/Coefficient: .*\n/, '')), /Coefficient/)
    assert.throws(() => parsePrivateKey(rsaText(768)), /1024 to 4096 bits/)
  })

  test('ECDSA private keys are above 0 and below the order of the group', ({ assert }) => {
    for (const [algorithm, curve, octets] of [
      [13, 'prime256v1', 32],
      [14, 'secp384r1', 48],
    ] as const) {
      const order = orderOf(curve, octets)
      const textOf = (number: bigint) => {
        const bytes = Buffer.from(number.toString(16).padStart(octets * 2, '0'), 'hex')
        return `Private-key-format: v1.2\nAlgorithm: ${algorithm}\nPrivateKey: ${bytes.toString('base64')}\n`
      }
      for (const number of [0n, order, 2n ** BigInt(octets * 8) - 1n]) {
        assert.throws(() => parsePrivateKey(textOf(number)), /PrivateKey is out of range/)
      }
      for (const number of [1n, order - 1n]) {
        assert.equal(parsePrivateKey(textOf(number)).text, textOf(number))
      }
    }
  })

  test('long lines of blanks are parsed quickly', ({ assert }) => {
    const line = `a:b${' '.repeat(500_000)}b${' '.repeat(500_000)}`
    const ms = cpuMs(() => assert.throws(() => parsePrivateKey(line)))
    assert.isBelow(ms, 500)
  })

  test('refusals are short and never quote the key', ({ assert }) => {
    for (const text of [
      '',
      SECRET,
      `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`,
      `${EC}${SECRET}${SECRET}`,
      `${EC}${SECRET}\nPrivateKey: ${SECRET}`,
      `${EC}${SECRET}\n${SECRET}: x`,
      `${EC}${SECRET}\nEngine: ${SECRET}`,
      `${EC}not base64 ${SECRET}`,
      `Private-key-format: v2.0\nAlgorithm: 13\nPrivateKey: ${SECRET}`,
      `Private-key-format: v1.2\nAlgorithm: ${SECRET}\nPrivateKey: ${SECRET}`,
      `Private-key-format: v1.2\nAlgorithm: 12 (GOST)\nPrivateKey: ${SECRET}`,
      `Private-key-format: v1.2\nAlgorithm: 14\nPrivateKey: ${SECRET}`,
    ]) {
      try {
        parsePrivateKey(text)
        assert.fail(`taken: ${text}`)
      } catch (error) {
        assert.instanceOf(error, UnreadableKey)
        assert.notInclude((error as Error).message, SECRET.slice(0, 10))
      }
    }
  })
})

test.group('Roles of keys', () => {
  const key = (flags: number, algorithm: number, active = true) => ({ flags, algorithm, active })

  test('roles are split only while both kinds of one algorithm are active', ({ assert }) => {
    const [ksk, zsk, sleeping] = [key(257, 13), key(256, 13), key(256, 13, false)]
    assert.equal(roleOf(ksk, [ksk]), 'csk')
    assert.equal(roleOf(zsk, [zsk]), 'csk')
    assert.equal(roleOf(ksk, [ksk, sleeping]), 'csk')
    assert.equal(roleOf(ksk, [ksk, key(256, 8)]), 'csk')
    assert.equal(roleOf(ksk, [ksk, zsk, sleeping]), 'ksk')
    assert.equal(roleOf(zsk, [ksk, zsk]), 'zsk')
    assert.equal(roleOf(sleeping, [ksk, zsk, sleeping]), 'zsk')
  })
})

test.group('Key tags', () => {
  test('key tags match the RFCs', ({ assert }) => {
    // RFC 8080, section 6.1.
    assert.equal(keyTag('257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='), 3613)
    // RFC 6605, section 6.1.
    assert.equal(
      keyTag(
        '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA=='
      ),
      55_648
    )
    assert.isNull(keyTag('no key'))
  })
})
