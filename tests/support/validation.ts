import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from '#tests/support/dns'
import { outputOf } from '#tests/support/programs'

/**
 * Result of a validating resolver: a proven answer, a proven denial, an unsigned answer (opt-out, RFC 5155, section 9.2), or
 * the cause of a failed validation.
 */
export type Validation = 'answer' | 'denial' | 'insecure' | { bogus: string }

/** Writes a file with the current keys of the zone as its trust anchor. */
async function writeAnchors(port: number, zone: string, file: string): Promise<void> {
  const { answers } = await query(port, zone, 'DNSKEY', { tcp: true })
  const anchors = answers
    .map(({ data }) => data.split(' '))
    .filter(([flags]) => flags === '257')
    .map(
      ([flags, protocol, algorithm, ...key]) =>
        `"${zone}." static-key ${flags} ${protocol} ${algorithm} "${key.join('')}";`
    )
  writeFileSync(file, `trust-anchors { ${anchors.join(' ')} };\n`)
}

/**
 * Validates the answer to a question with the real `delv`: signatures, and the proof of non-existence. The zone does not
 * sign names at and below delegations. For these, query the DS RRset at the cut.
 */
export async function validate(
  port: number,
  zone: string,
  name: string,
  type: string
): Promise<Validation> {
  const folder = mkdtempSync(join(process.env.ZW_TEST_DIR ?? tmpdir(), 'anchors-'))
  const anchors = join(folder, 'anchors')
  try {
    await writeAnchors(port, zone, anchors)
    return await validateBy(anchors, { port, zone }, name, type)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Like `validate`, with the trust anchors of a file. */
export async function validateBy(
  anchors: string,
  { port, zone }: { port: number; zone: string },
  name: string,
  type: string
): Promise<Validation> {
  const words = ['-a', anchors, `+root=${zone}.`, '-q', `${name}.`, '-t', type]
  const output = await outputOf('delv', ['@127.0.0.1', '-p', String(port), ...words])
  if (/^; negative response, fully validated/m.test(output)) {
    return 'denial'
  }
  if (/^; (negative response, )?unsigned answer/m.test(output)) {
    return 'insecure'
  }
  return /^; fully validated/m.test(output) ? 'answer' : { bogus: output }
}

/** A DS record as the API returns it. */
export interface TrustedDs {
  key_tag: number
  algorithm: number
  digest_type: number
  digest: string
}

/** Writes a file that trusts the zone by its DS records only, as a parent zone would. Returns the path of the file. */
export function trustDs(zone: string, records: TrustedDs[]): string {
  const folder = mkdtempSync(join(process.env.ZW_TEST_DIR ?? tmpdir(), 'anchors-'))
  const file = join(folder, 'anchors')
  const anchors = records
    .filter(({ digest_type: type }) => type === 2)
    .map(({ key_tag: tag, algorithm, digest }) => {
      return `"${zone}." static-ds ${tag} ${algorithm} 2 "${digest}";`
    })
  writeFileSync(file, `trust-anchors { ${anchors.join(' ')} };\n`)
  return file
}
