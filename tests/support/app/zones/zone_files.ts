import type { Caller } from '#tests/support/app/api'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RRset } from '#dns/types'
import { parseZoneFile } from '#dns/zonefile/index'
import { testFolder } from '#tests/support/app/server'

/** Writes a file for a command to read, and returns its path. */
export function fileWith(name: string, text: string | Buffer): string {
  const path = join(testFolder('file'), name)
  writeFileSync(path, text)
  return path
}

/** The SOA record of a zone file, as a line; its serial is 7. */
export const SOA = '@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 7 10800 3600 604800 3600'

/** A zone file of these lines. */
export const fileOf = (...lines: string[]) => `${lines.join('\n')}\n`

/** A zone file with an SOA record, to replace a zone with; the lines follow from the third on. */
export const wholeFile = (...lines: string[]) => fileOf('$TTL 3600', SOA, ...lines)

/** The RRsets of a zone file, in the order of the file; throws for one with problems. */
export function setsOf(apex: string, text: string): RRset[] {
  const { rrsets, problems } = parseZoneFile(text, { origin: apex })
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return rrsets
}

/** Lines of the export of a zone, with one blank between words. */
export async function digest(as: Caller, id: number): Promise<string[]> {
  const exported = await as.get(`/zones/${id}/export`)
  const text = exported.body().data.zone_file as string
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.replaceAll(/ +/g, ' '))
}
