import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { apexOf } from '#dns/zonefile/index'
import {
  generatedFile,
  singleFiles,
  type GeneratedFile,
} from '#tests/support/zone_checkers/generator'
import { productVerdict } from '#tests/support/zone_checkers/product'
import { PROGRAMS, ZoneCheckers } from '#tests/support/zone_checkers/programs'
import { compare } from '#tests/support/zone_checkers/reasons'

/** Number of generated files; the first has the seed `ZW_SEED`. */
const RUNS = Number(process.env.ZONE_FILE_RUNS ?? 100)
const SEED = Number(process.env.ZW_SEED ?? 1)
/** A folder with additional real zone files. */
const FOLDER = process.env.ZONE_FILES
const MINUTES = 60_000

interface NamedFile extends GeneratedFile {
  title: string
}

/** Compares verdicts about files, prints their counts, and returns unexpected differences. */
async function unexplained(files: NamedFile[]): Promise<string[]> {
  const found: string[] = []
  const counts = new Map<string, number>()
  const left = files.values()
  await Promise.all(
    cpus().map(async () => {
      const checkers = new ZoneCheckers()
      for (const { title, apex, text } of left) {
        const verdicts = await checkers.verdicts(apex, text)
        const product = productVerdict(apex, text)
        const { group, isAccepted, reasons } = compare(text, product, verdicts)
        const said = `${group}, the product ${isAccepted ? 'accepts' : 'refuses'}`
        count(counts, said)
        for (const { program, because } of reasons) {
          count(counts, `${said}; ${program}: ${because ?? 'NO REASON'}`)
        }
        if (reasons.some(({ because }) => because === undefined)) {
          const all = [
            ...PROGRAMS.map((it) => [it, verdicts[it]] as const),
            ['product', product] as const,
          ]
          const words = all.map(
            ([name, it]) => `${name}: ${it.isAccepted} ${it.says.slice(0, 500)}`
          )
          found.push([`${title} (${apex})`, text.slice(-500), ...words].join('\n'))
        }
      }
      checkers.remove()
    })
  )
  if (process.env.ZONE_FILE_COUNTS) {
    const lines = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
    console.log(lines.map(([said, number]) => `${number}\t${said}`).join('\n'))
  }
  return found
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

test.group('Zone files against named-checkzone, nsd-checkzone and pdnsutil', () => {
  test('files of a single record or directive', async ({ assert }) => {
    const files = singleFiles().map((file, index) => ({ title: `file ${index}`, ...file }))
    assert.deepEqual(await unexplained(files), [])
  }).timeout(10 * MINUTES)

  test('files of several records', async ({ assert }) => {
    const files = Array.from({ length: RUNS }, (_, index) => {
      return { title: `ZW_SEED=${SEED + index}`, ...generatedFile(SEED + index) }
    })
    assert.deepEqual(await unexplained(files), [])
  }).timeout(600 * MINUTES)

  if (FOLDER !== undefined) {
    test('the files of a folder', async ({ assert }) => {
      const files = readdirSync(FOLDER).map((title) => {
        const text = readFileSync(join(FOLDER, title), 'utf8')
        return { title, text, apex: apexOf(text) || 'example' }
      })
      assert.deepEqual(await unexplained(files), [])
    }).timeout(60 * MINUTES)
  }
})
