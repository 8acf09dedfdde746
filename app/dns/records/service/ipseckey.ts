import { fieldsOf } from '#dns/rdata/fields'
import { choiceOf } from '#dns/records/choice'
import { defineRecordType } from '#dns/records/define'
import {
  address4Of,
  address6Of,
  base64Of,
  hostOf,
  numberOf,
  wordField,
  type Field,
} from '#dns/records/fields'
import type { RecordType } from '#dns/records/record_type'

const NO_GATEWAY = 0
const NO_KEY = 0
const KEY = base64Of('public key', { max: 65_000 })
const EXAMPLE_KEY = 'AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ=='

const HEAD = [
  numberOf('precedence', 255),
  choiceOf('gateway type', { numbers: [0, 1, 2, 3] }),
  // PowerDNS up to 5.1 serves neither 3 (ECDSA) nor 4 (EdDSA, RFC 9373).
  choiceOf('algorithm', {
    numbers: [0, 1, 2],
    mnemonics: { DSA: 1, RSA: 2 },
    why: 'PowerDNS serves no other algorithms',
  }),
]
const GATEWAYS: readonly Field[] = [
  wordField(
    'gateway',
    (word) => word,
    () => '.'
  ),
  address4Of('gateway'),
  address6Of('gateway'),
  hostOf('gateway'),
]

const main = recordTypeOf([...HEAD, GATEWAYS[3], KEY])
const forms = GATEWAYS.map((gateway, type) => {
  const between = type === NO_GATEWAY ? [] : [gateway]
  return {
    keyless: recordTypeOf([...HEAD, ...between]),
    keyed: recordTypeOf([...HEAD, ...between, KEY]),
  }
})

/**
 * A key for IPsec. Without gateway, the master file form has "." (RFC 4025, 3.1), but PowerDNS serves only contents without
 * it. The stored form omits it; display and export add it. With algorithm 0, both forms have no key.
 */
export const ipseckey: RecordType = {
  ...main,
  parse: (content) => formOf(content).parse(content),
  canonical: (given, context) => {
    const content = withoutDot(given)
    return formOf(content).canonical(content, context)
  },
  fromWire(data) {
    const head = HEAD.map((field) => field.fromWire(data.reading(field.name)))
    const gateway = GATEWAYS[Number(head[1])]
    if (gateway === undefined) throw data.refusal(`has data of the gateway type ${head[1]}`)
    const words = [...head, gateway.fromWire(data.reading('gateway'))]
    const isKeyed = data.reading('public key').remainingBytes > 0
    return [...words, ...(isKeyed ? [KEY.fromWire(data)] : [])].join(' ')
  },
  present: withDot,
  zoneFile: withDot,
  targets: (content) => formOf(content).targets(content),
}

function recordTypeOf(fields: readonly Field[]): RecordType {
  return defineRecordType({
    type: 'IPSECKEY',
    rfc: 'RFC 4025',
    summary: 'A public key for IPsec, and the gateway to this host',
    example: `10 1 2 192.0.2.38 ${EXAMPLE_KEY}`,
    trap: 'A gateway that does not match the gateway type: 1 IPv4, 2 IPv6, 3 a name',
    fields,
    pointsTo: ['gateway'],
  })
}

function formOf(content: string): RecordType {
  const [, type = '', algorithm = ''] = fieldsOf(content)
  const found = forms[Number(type)]
  if (found === undefined) return main
  return Number(algorithm) === NO_KEY ? found.keyless : found.keyed
}

function withDot(content: string): string {
  const words = content.split(' ')
  if (words[1] !== String(NO_GATEWAY) || words.length < 3 || words.length > 4) return content
  return [...words.slice(0, 3), '.', ...words.slice(3)].join(' ')
}

function withoutDot(content: string): string {
  const words = fieldsOf(content)
  if (Number(words[1]) !== NO_GATEWAY || words[3] !== '.') return content
  return [...words.slice(0, 3), ...words.slice(4)].join(' ')
}
