import { InvalidDns } from '#dns/errors'
import { mailboxName } from '#dns/names/mailbox'
import { hostName } from '#dns/names'
import { fieldsOf, numberField } from '#dns/rdata/fields'
import type { RRset } from '#dns/types'

/** The fields of an SOA record (RFC 1035, 3.3.13); the timers are seconds, of 32 bits. */
export interface Soa {
  /** Primary name server. */
  mname: string
  /** Mailbox of who is responsible, in host form. */
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
/** An interval of 32 bits (RFC 1035, 3.3.13). */
const INTERVAL_LIMIT = 4294967295
const SERIAL_FIELD = 2

/**
 * Reads the content of an SOA record; names come out canonical, a mailbox `user@domain` in host form.
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

/** The content of an SOA record, fields with one space between. */
export function printSoa(soa: Soa): string {
  const { mname, rname, serial, refresh, retry, expire, minimum } = soa
  return [mname, rname, serial, refresh, retry, expire, minimum].join(' ')
}

/**
 * The serial alone, 0..4294967295. Nothing else is read, so that a content some other tool stored
 * (PowerDNS takes fewer than 7 fields) has one too.
 *
 * @throws InvalidDns on 'content' when there is no serial
 */
export function soaSerial(content: string): number {
  return numberField(fieldsOf(content)[SERIAL_FIELD] ?? '', 'serial', SERIAL_LIMIT, content)
}

/**
 * The same SOA with another serial; everything else stays as it was written.
 *
 * @param serial 0..4294967295
 * @throws InvalidDns on 'content' when there is no serial to replace
 */
export function withSerial(content: string, serial: number): string {
  soaSerial(content)
  return fieldsOf(content).with(SERIAL_FIELD, String(serial)).join(' ')
}

/** The same SOA without what every change of its zone moves: at serial 0. A content without a serial stays as it is. */
export function withoutSerial(content: string): string {
  return serialIn(content) === null ? content : withSerial(content, 0)
}

/** The serial in the content of an SOA record; null when none could be read. */
export function serialIn(content: string): number | null {
  try {
    return soaSerial(content)
  } catch {
    return null
  }
}

/**
 * The serial of an RRset of the type SOA, of its first record that is not disabled, where there is one; null when there
 * is none, or none that could be read.
 */
export function serialOfSet(set: RRset | null | undefined): number | null {
  const soa = set?.records.find(({ disabled }) => !disabled) ?? set?.records[0]
  return soa ? serialIn(soa.content) : null
}

/**
 * An RRset of the type SOA at another serial, 0..4294967295: its records that are served, or all where none is. Contents
 * without a serial stay as they are.
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
