import { InvalidDns } from '#dns/errors'
import { byteText, parseStrings } from '#dns/rdata/character_strings'
import { refusal } from '#dns/records/fields'
import { printValue } from '#dns/records/service/svc_text'
import {
  alpn,
  anyBytes,
  dohpath,
  ech,
  flag,
  hints4,
  hints6,
  keyList,
  port,
  type SvcValue,
} from '#dns/records/service/svc_values'
import type { WireReader } from '#dns/rdata/wire_reader'

/** A service parameter; without `wire`, PowerDNS computes the hint itself ("auto"). */
export interface SvcParam {
  code: number
  wire?: Uint8Array
}

export const MANDATORY_KEY = 0
export const ALPN = 1
export const NO_DEFAULT_ALPN_KEY = 2

const NAMES = 'mandatory alpn no-default-alpn port ipv4hint ech ipv6hint dohpath ohttp'.split(' ')
/** PowerDNS up to 5.1 reads keys from this number on only as `keyN`. */
const NAMES_OF_POWERDNS = 7
const HINTS = [4, 6]
const RESERVED_KEY = 65535
const KEYS = `${NAMES.join(', ')} or keyN (RFC 9460, 14.3.2)`

/**
 * Parses the words of service parameters, sorted by key number.
 *
 * @param content the whole content, for messages
 * @throws InvalidDns on 'content' for an unknown or duplicate key, or an invalid value
 */
export function readSvcParams(words: string[], content: string): SvcParam[] {
  const params = words
    .map((word) => readParam(word, content))
    .sort((one, other) => one.code - other.code)
  for (const [position, { code }] of params.entries()) {
    if (params[position + 1]?.code !== code) continue
    throw new InvalidDns('content', content, 'each key once (RFC 9460, 2.1)', {
      problem: `has the key ${keyName(code, true)} twice`,
    })
  }
  return params
}

/**
 * Prints service parameters: with `named`, all known keys by name, the form for users and other programs; otherwise in the
 * form that all supported versions of PowerDNS read.
 */
export function printSvcParams(params: SvcParam[], named = false): string {
  return params
    .map(({ code, wire }) => {
      const name = keyName(code, named)
      const value = wire ? valueOf(code, named).print(wire)! : 'auto'
      if (value !== '') return `${name}=${value}`
      return name.startsWith('key') ? `${name}=""` : name
    })
    .join(' ')
}

/** Reads service parameters in wire format; returns words with keys as `keyN`. */
export function paramsFromWire(data: WireReader): string[] {
  const words: string[] = []
  let last = -1
  while (data.remainingBytes > 0) {
    const code = data.number(2)
    if (code <= last) throw data.refusal('has keys that are out of order (RFC 9460, 2.2)')
    last = code
    words.push(`key${code}="${printValue(data.sized(2))}"`)
  }
  return words
}

/** Returns the key numbers of the "mandatory" parameter. */
export function mandatoryKeys(params: SvcParam[]): number[] {
  const wire = params.find(({ code }) => code === MANDATORY_KEY)?.wire ?? new Uint8Array()
  return Array.from(
    { length: wire.length / 2 },
    (_, position) => wire[2 * position] * 256 + wire[2 * position + 1]
  )
}

/** Returns the name of a key: of all known keys with `named`, otherwise of those that PowerDNS knows; `keyN` for others. */
export function keyName(code: number, named: boolean): string {
  return code < (named ? NAMES.length : NAMES_OF_POWERDNS) ? NAMES[code] : `key${code}`
}

function readParam(word: string, content: string): SvcParam {
  const equals = word.indexOf('=')
  const key = (equals < 0 ? word : word.slice(0, equals)).toLowerCase()
  const code = keyCode(key)
  if (code === undefined) {
    throw new InvalidDns('content', content, KEYS, {
      problem: `has the key ${JSON.stringify(key.slice(0, 50))}`,
    })
  }
  const strings = equals < 0 ? [] : parseStrings(word.slice(equals + 1))
  const text = strings[0] ?? new Uint8Array()
  if (HINTS.includes(code) && !key.startsWith('key') && byteText(text) === 'auto') return { code }
  const valueForm = valueOf(code, true)
  const wire = key.startsWith('key') ? text : valueForm.read(text)
  if (!wire || valueForm.print(wire) === undefined) throw refusal(content, key, valueForm.allowed)
  return { code, wire }
}

function keyCode(key: string): number | undefined {
  if (NAMES.includes(key)) return NAMES.indexOf(key)
  const generic = /^key(0|[1-9]\d{0,4})$/.exec(key)
  return generic && Number(generic[1]) < RESERVED_KEY ? Number(generic[1]) : undefined
}

function valueOf(code: number, named: boolean): SvcValue {
  if (code === MANDATORY_KEY) return keyList(keyCode, (paramText) => keyName(paramText, named))
  return [alpn, flag, port, hints4, ech, hints6, dohpath, flag][code - 1] ?? anyBytes
}
