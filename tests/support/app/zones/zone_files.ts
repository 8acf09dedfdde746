import type { Caller } from '#tests/support/app/api'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RRset } from '#dns/types'
import { parseZoneFile } from '#dns/zonefile/index'
import { testFolder } from '#tests/support/app/server'

/** Writes an input file for a command and returns its path. */
export function fileWith(name: string, text: string | Buffer): string {
  const path = join(testFolder('file'), name)
  writeFileSync(path, text)
  return path
}

/** The SOA record of a zone file as one line, with serial 7. */
export const SOA = '@ 3600 IN SOA ns1.example.net. hostmaster.example.net. 7 10800 3600 604800 3600'

/** Builds a zone file of these lines. */
export const fileOf = (...lines: string[]) => `${lines.join('\n')}\n`

/** Builds a zone file with an SOA record that can replace a zone. The given lines start at line 3. */
export const wholeFile = (...lines: string[]) => fileOf('$TTL 3600', SOA, ...lines)

/** Returns the RRsets of a zone file in the order of the file. Throws for a file with problems. */
export function setsOf(apex: string, text: string): RRset[] {
  const { rrsets, problems } = parseZoneFile(text, { origin: apex })
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return rrsets
}

/** Returns the lines of the export of a zone, with one space between words. */
export async function exportLines(as: Caller, id: number): Promise<string[]> {
  const exported = await as.get(`/zones/${id}/export`)
  const text = exported.body().data.zone_file as string
  return text
    .split('\n')
    .slice(1)
    .map((line) => line.replaceAll(/ +/g, ' '))
}
