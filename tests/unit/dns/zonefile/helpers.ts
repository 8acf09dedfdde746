import type { Assert } from '@japa/assert'
import {
  parseZoneFile,
  writeZoneFile,
  type RecordComment,
  type ZoneFileContents,
  type ZoneFileLimits,
} from '#dns/zonefile/index'
import type { RRset } from '#dns/types'

export const APEX = 'example.org'

/** Parses lines as a zone file of example.org, with `$TTL 60` in its first line. */
export function parse(lines: string[], limits: Partial<ZoneFileLimits> = {}) {
  return parseZoneFile(['$TTL 60', ...lines].join('\n'), { origin: APEX, limits })
}

/** Returns the records of a zone file as `name ttl type [priority] content`, and its problems. */
export function summary(lines: string[], limits: Partial<ZoneFileLimits> = {}): string[] {
  const { records, problems } = parse(lines, limits)
  const found = records.map(({ name, ttl, type, record }) => {
    const priority = record.priority === 0 ? [] : [record.priority]
    const words = [name, ttl, type, ...priority, record.content]
    return (record.disabled ? 'disabled ' : '') + words.join(' ')
  })
  return [...found, ...problems.map(({ severity, message }) => `${severity}: ${message}`)]
}

export function write(rrsets: RRset[], comments: RecordComment[] = []): string {
  return [...writeZoneFile({ apex: APEX, rrsets, comments })].join('')
}

/**
 * Writes the parsed zone, parses the output and writes it again. Asserts that no record is lost and that both outputs are
 * equal.
 */
export function exportAndImport(assert: Assert, apex: string, zone: ZoneFileContents): void {
  const exported = [...writeZoneFile({ apex, ...zone })].join('')
  const again = parseZoneFile(exported, { origin: apex })
  assert.deepEqual(again.problems, [])
  assert.deepEqual(again.rrsets, zone.rrsets)
  assert.deepEqual(again.comments, zone.comments)
  assert.equal([...writeZoneFile({ apex, ...again })].join(''), exported)
}
