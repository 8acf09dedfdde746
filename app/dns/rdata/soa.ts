import { InvalidDns } from '#dns/errors'
import { mailboxName } from '#dns/names/mailbox'
import { hostName } from '#dns/names'
import { fieldsOf, numberField } from '#dns/rdata/fields'
import type { RRset } from '#dns/types'

/** Fields of an SOA record (RFC 1035, 3.3.13); the timers are 32-bit seconds. */
export interface Soa {
  /** Primary name server. */
  mname: string
  /** Mailbox of the person in charge, in host form. */
  rname: string
  /** 0..4294967295 */
  serial: number
  refresh: number
  retry: number
  expire: number
  /** TTL of negative answers (RFC 2308, section 4). */
  minimum: number
}

const FORM = '"mname rname serial refresh retry expire minimum" (RFC 1035, 3.3.13)'
const SERIAL_LIMIT = 4294967295
/** Maximum of a 32-bit interval (RFC 1035, 3.3.13). */
const INTERVAL_LIMIT = 4294967295
const SERIAL_FIELD = 2

/**
 * Parses the content of an SOA record. Names become canonical, and a mailbox `user@domain` gets its host form.
 *
 * @throws InvalidDns on 'content'
 */
export function parseSoa(content: string): Soa {
  const fields = fieldsOf(content)
  if (fields.some((field) => /\[\w+\]/.test(field))) {
    throw new InvalidDns('content', content, FORM, { problem: 'has an unexpanded placeholder' })
  }
  if (fields.length !== 7) {
    throw new InvalidDns('content', content, FORM, {
      problem: `has ${fields.length} fields, not 7`,
    })
  }
  const [mname, rname, serial, refresh, retry, expire, minimum] = fields
  return {
    mname: hostName(mname, 'content', { allowRoot: true }),
    rname: mailboxName(rname),
    serial: numberField(serial, 'serial', SERIAL_LIMIT, content),
    refresh: numberField(refresh, 'refresh time', INTERVAL_LIMIT, content),
    retry: numberField(retry, 'retry time', INTERVAL_LIMIT, content),
    expire: numberField(expire, 'expire time', INTERVAL_LIMIT, content),
    minimum: numberField(minimum, 'minimum', INTERVAL_LIMIT, content),
  }
}

/** Prints the content of an SOA record, with one space between fields. */
export function printSoa(soa: Soa): string {
  const { mname, rname, serial, refresh, retry, expire, minimum } = soa
  return [mname, rname, serial, refresh, retry, expire, minimum].join(' ')
}

/**
 * Returns the serial, 0..4294967295. Does not validate other fields, because other programs store contents with fewer than 7
 * fields, which PowerDNS accepts.
 *
 * @throws InvalidDns on 'content' without a valid serial
 */
export function soaSerial(content: string): number {
  return numberField(fieldsOf(content)[SERIAL_FIELD] ?? '', 'serial', SERIAL_LIMIT, content)
}

/**
 * Returns the SOA content with another serial; other fields stay as written.
 *
 * @param serial 0..4294967295
 * @throws InvalidDns on 'content' without a valid serial
 */
export function withSerial(content: string, serial: number): string {
  soaSerial(content)
  return fieldsOf(content).with(SERIAL_FIELD, String(serial)).join(' ')
}

/**
 * Returns the SOA content with serial 0, for comparisons: every change of the zone changes the serial. Returns a content
 * without a valid serial unchanged.
 */
export function withoutSerial(content: string): string {
  return serialIn(content) === null ? content : withSerial(content, 0)
}

/** Returns the serial of an SOA content; null without a valid one. */
export function serialIn(content: string): number | null {
  try {
    return soaSerial(content)
  } catch {
    return null
  }
}

/**
 * Returns the serial of an SOA RRset: of its first enabled record, otherwise of its first record. null for no record, or
 * without a valid serial.
 */
export function serialOfSet(set: RRset | null | undefined): number | null {
  const soa = set?.records.find(({ disabled }) => !disabled) ?? set?.records[0]
  return soa ? serialIn(soa.content) : null
}

/**
 * Sets the serial of an SOA RRset, 0..4294967295: on its enabled records, or on all if none is enabled. Contents without a
 * valid serial stay unchanged.
 */
export function setAtSerial(set: RRset, serial: number): RRset {
  const isServed = set.records.some(({ disabled }) => !disabled)
  const records = set.records.map((record) =>
    (record.disabled && isServed) || serialIn(record.content) === null
      ? record
      : { ...record, content: withSerial(record.content, serial) }
  )
  return { ...set, records }
}
