import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { query } from '#tests/support/dns'
import { runProgram } from '#tests/support/programs'

/**
 * What a validating resolver thinks of an answer: a proven answer, a proven denial, an answer that need
 * not be proven (opt-out, RFC 5155, section 9.2), or what it says against it.
 */
export type Validation = 'answer' | 'denial' | 'insecure' | { bogus: string }

/** A file that makes the keys of the zone, as the server holds them, the trust anchor. */
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
 * Validates the answer to a question by the real `delv`: signatures, and for what does not exist the
 * proof of it. Names at and below delegations are not the zone's to sign: ask for their DS at the cut.
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
    const words = ['-a', anchors, `+root=${zone}.`, '-q', `${name}.`, '-t', type]
    const output = await runProgram('delv', ['@127.0.0.1', '-p', String(port), ...words])
    if (/^; negative response, fully validated/m.test(output)) {
      return 'denial'
    }
    if (/^; unsigned answer/m.test(output)) {
      return 'insecure'
    }
    return /^; fully validated/m.test(output) ? 'answer' : { bogus: output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
