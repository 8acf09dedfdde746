import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTables } from '#tests/support/powerdns'

/** Verdict of one checker about a zone file. */
export interface Verdict {
  /** null: the program did not end in time. */
  isAccepted: boolean | null
  /** Output of the program. */
  says: string
}

/** The programs that the product is compared with. */
export const PROGRAMS = ['named', 'nsd', 'pdnsutil'] as const

export type Program = (typeof PROGRAMS)[number]

/** Milliseconds. `pdnsutil check-zone` takes hours for a `$GENERATE` of thousands of records. */
const TIMEOUT_MS = 5_000

/** Errors of `pdnsutil check-zone` about data that the server itself writes later. */
const LEFT_TO_SERVER = /run pdnsutil rectify-zone\?|(?:NSEC or NSEC3|RRSIG) found at/

const execute = promisify(execFile)

interface Ended {
  code: unknown
  killed: boolean
  stdout: string
  stderr: string
}

/** Runs `named-checkzone`, `nsd-checkzone` and `pdnsutil check-zone` on zone files in a temporary folder. */
export class ZoneCheckers {
  readonly #folder = mkdtempSync(join(tmpdir(), 'zone-checkers-'))
  readonly #emptyDatabase = join(this.#folder, 'empty.sqlite3')
  readonly #database = join(this.#folder, 'zones.sqlite3')
  readonly #file = join(this.#folder, 'zone')

  constructor() {
    createTables(this.#emptyDatabase)
    const settings = {
      'launch': 'gsqlite3',
      'gsqlite3-database': this.#database,
      'gsqlite3-dnssec': 'yes',
      'gsqlite3-pragma-synchronous': '0',
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(join(this.#folder, 'pdns.conf'), lines.join(''))
  }

  /** Returns the verdict of each program about a zone file. */
  async verdicts(apex: string, text: string): Promise<Record<Program, Verdict>> {
    writeFileSync(this.#file, text)
    const [named, nsd, pdnsutil] = await Promise.all([
      // Without queries for the addresses of hosts in other zones.
      verdict('named-checkzone', ['-i', 'local', apex, this.#file]),
      verdict('nsd-checkzone', [apex, this.#file]),
      this.#pdnsutil(apex),
    ])
    return { named, nsd, pdnsutil }
  }

  async #pdnsutil(apex: string): Promise<Verdict> {
    for (const end of ['-wal', '-shm']) rmSync(this.#database + end, { force: true })
    copyFileSync(this.#emptyDatabase, this.#database)
    const config = `--config-dir=${this.#folder}`
    const loaded = await verdict('pdnsutil', [config, 'load-zone', apex, this.#file])
    if (!loaded.isAccepted) return loaded
    const checked = await verdict('pdnsutil', [config, 'check-zone', apex])
    const errors = checked.says.match(/^\[Error\].*$/gm) ?? []
    return checked.isAccepted === false && errors.every((error) => LEFT_TO_SERVER.test(error))
      ? { ...checked, isAccepted: true }
      : checked
  }

  /** Deletes the temporary folder. */
  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function verdict(program: string, args: string[]): Promise<Verdict> {
  const path = `${process.env.PATH}:/usr/sbin:/sbin`
  const options = {
    env: { PATH: path },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL' as const,
    maxBuffer: 2 ** 26,
  }
  try {
    const { stdout } = await execute(program, args, options)
    return { isAccepted: true, says: stdout }
  } catch (error) {
    const { code, killed, stdout, stderr } = error as Ended
    if (killed) return { isAccepted: null, says: `no answer in ${TIMEOUT_MS} ms` }
    if (typeof code !== 'number') throw error
    return { isAccepted: false, says: stdout + stderr }
  }
}
