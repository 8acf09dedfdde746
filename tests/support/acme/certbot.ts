import { existsSync, readFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { homePath } from '#support/home'
import type { Pebble } from '#tests/support/acme/pebble'
import { testFolder } from '#tests/support/app/server'
import { runToEnd, type ProgramRun } from '#tests/support/dyndns/programs'

/** Options of one certificate request. */
export interface Order {
  acme: Pebble
  /** URL of the server under test. */
  url: string
  key: string
  domains: string[]
}

/** The certbot of Debian, with its own account and certificates. */
export class Certbot {
  readonly #folder = testFolder('certbot')

  /** Requests a certificate. The calls of the DNS plugin publish and remove the challenges. */
  order({ acme, url, key, domains }: Order): Promise<ProgramRun> {
    const folders = ['config', 'work', 'logs'].map((name) => [
      `--${name}-dir`,
      join(this.#folder, name),
    ])
    const hook = `${process.execPath} ${homePath('tests/clients/hooks/certbot_poweradmin.mjs')}`
    const args = [
      ...['certonly', '--non-interactive', '--agree-tos', '--register-unsafely-without-email'],
      ...['--server', acme.directory, ...folders.flat(), '--cert-name', 'test'],
      ...['--manual', '--preferred-challenges', 'dns'],
      ...['--manual-auth-hook', `${hook} auth`, '--manual-cleanup-hook', `${hook} cleanup`],
      ...domains.flatMap((domain) => ['-d', domain]),
    ]
    const variables = {
      REQUESTS_CA_BUNDLE: acme.certificate,
      API_URL: url,
      API_KEY: key,
      HOOK_LOG: this.#log,
    }
    return runToEnd('certbot', args, { variables, timeout: 90_000 })
  }

  get #log(): string {
    return join(this.#folder, 'calls')
  }

  /** Returns the calls of the plugin so far, such as `POST /zones/N/records 201`. */
  calls(): string[] {
    return existsSync(this.#log) ? readFileSync(this.#log, 'utf8').trim().split('\n') : []
  }

  /** Returns the names of the issued certificate in order; null without a certificate. */
  names(): string[] | null {
    const file = join(this.#folder, 'config/live/test/cert.pem')
    if (!existsSync(file)) {
      return null
    }
    const { subjectAltName } = new X509Certificate(readFileSync(file))
    return (subjectAltName ?? '')
      .split(', ')
      .map((name) => name.replace('DNS:', ''))
      .sort()
  }
}
