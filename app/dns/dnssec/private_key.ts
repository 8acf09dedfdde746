/** A parsed private key: its algorithm, and a text with the key fields only. */
export interface PrivateKey {
  /** IANA number. */
  algorithm: number
  /** BIND private-key text, format v1.2. A secret. */
  text: string
}

/** The text is no valid key. The message contains names of fields only, no values. */
export class UnreadableKey extends Error {}

/** The text is a key of an algorithm that cannot sign zones. */
export class UnknownKeyAlgorithm extends UnreadableKey {
  constructor(
    /** IANA number. */
    readonly algorithm: number
  ) {
    super(`algorithm ${algorithm} cannot sign zones`)
  }
}

const RSA = [5, 7, 8, 10]
/** Octets of the private key, by algorithm (RFC 6605, RFC 8080). */
const CURVES = new Map([
  [13, 32],
  [14, 48],
  [15, 32],
  [16, 57],
])
/** Order of the curve group: private keys are smaller (FIPS 186-5, 3.1; SP 800-186, 3.2.1). */
const CURVE_ORDERS = new Map([
  [13, 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n],
  [
    14,
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  ],
])
const RSA_FIELDS = [
  'Modulus',
  'PublicExponent',
  'PrivateExponent',
  'Prime1',
  'Prime2',
  'Exponent1',
  'Exponent2',
  'Coefficient',
]
/** Timing fields of the key: parsed, but not stored. */
const TIMING_LINE =
  /^(Created|Publish|Activate|Revoke|Inactive|Delete|DSPublish|SyncPublish|SyncDelete)$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const RSA_BITS = { least: 1024, most: 4096 }

/**
 * Parses a private key in the format of BIND's tools (`K<zone>.+<algorithm>+<tag>.private`), for
 * algorithms that sign zones. Checks RSA numbers against each other, other keys by length, and
 * ECDSA keys also by range.
 *
 * @throws UnreadableKey, or UnknownKeyAlgorithm for an algorithm that cannot sign zones
 */
export function parsePrivateKey(text: string): PrivateKey {
  if (text.includes('-----BEGIN')) {
    throw new UnreadableKey(
      'the text is PEM, but BIND private-key text begins with "Private-key-format:"'
    )
  }
  const fields = fieldsOf(text)
  const format = take(fields, 'Private-key-format')
  if (!/^v1\.\d+$/.test(format)) {
    throw new UnreadableKey('Private-key-format must be v1.2 or another v1 version')
  }
  const algorithm = /^(\d{1,3})(?:\s+\([A-Z0-9_-]+\))?$/i.exec(take(fields, 'Algorithm'))
  if (!algorithm) {
    throw new UnreadableKey('Algorithm must be a number, such as "13 (ECDSAP256SHA256)"')
  }
  const number = Number(algorithm[1])
  const names = namesOf(number)
  const values = names.map((name) => [name, bytesOf(name, take(fields, name))] as const)
  const stranger = [...fields.keys()].find((name) => !TIMING_LINE.test(name))
  if (stranger !== undefined) {
    throw new UnreadableKey('a field does not belong to keys of this algorithm')
  }
  check(number, new Map(values))
  const lines = values.map(([name, bytes]) => `${name}: ${bytes.toString('base64')}\n`)
  return {
    algorithm: number,
    text: `Private-key-format: v1.2\nAlgorithm: ${number}\n${lines.join('')}`,
  }
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  for (const [index, line] of lines.entries()) {
    const match = /^([A-Za-z][A-Za-z0-9-]{0,30}):\s*(\S.*)$/.exec(line.trim())
    if (!match) {
      throw new UnreadableKey(`line ${index + 1} does not have the form "Name: value"`)
    }
    if (fields.has(match[1])) {
      throw new UnreadableKey(`line ${index + 1} repeats a field`)
    }
    fields.set(match[1], match[2])
  }
  return fields
}

function take(fields: Map<string, string>, name: string): string {
  const value = fields.get(name)
  if (value === undefined) {
    throw new UnreadableKey(`the field ${name} is missing`)
  }
  fields.delete(name)
  return value
}

function namesOf(algorithm: number): string[] {
  if (RSA.includes(algorithm)) {
    return RSA_FIELDS
  }
  if (CURVES.has(algorithm)) {
    return ['PrivateKey']
  }
  throw new UnknownKeyAlgorithm(algorithm)
}

function bytesOf(name: string, value: string): Buffer {
  if (!BASE64.test(value)) {
    throw new UnreadableKey(`${name} must be base64`)
  }
  return Buffer.from(value, 'base64')
}

function check(algorithm: number, values: Map<string, Buffer>): void {
  const value = (name: string) => BigInt(`0x0${values.get(name)!.toString('hex')}`)
  const octets = CURVES.get(algorithm)
  if (octets !== undefined) {
    if (values.get('PrivateKey')!.length !== octets) {
      throw new UnreadableKey(`PrivateKey must be ${octets} octets for algorithm ${algorithm}`)
    }
    const order = CURVE_ORDERS.get(algorithm)
    if (order !== undefined && (value('PrivateKey') === 0n || value('PrivateKey') >= order)) {
      throw new UnreadableKey(`PrivateKey is out of range for algorithm ${algorithm}`)
    }
    return
  }
  const bits = value('Modulus').toString(2).length
  if (bits < RSA_BITS.least || bits > RSA_BITS.most) {
    throw new UnreadableKey(`Modulus must have ${RSA_BITS.least} to ${RSA_BITS.most} bits`)
  }
  const [p, q] = [value('Prime1'), value('Prime2')]
  const [d, e] = [value('PrivateExponent'), value('PublicExponent')]
  const isKey =
    p > 1n &&
    q > 1n &&
    p * q === value('Modulus') &&
    (d * e) % (p - 1n) === 1n &&
    (d * e) % (q - 1n) === 1n &&
    d % (p - 1n) === value('Exponent1') &&
    d % (q - 1n) === value('Exponent2') &&
    (value('Coefficient') * q) % p === 1n
  if (!isKey) {
    throw new UnreadableKey('the numbers do not belong to one RSA key')
  }
}
