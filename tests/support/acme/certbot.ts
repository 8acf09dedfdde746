import { existsSync, readFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { homePath } from '#support/home'
import type { Pebble } from '#tests/support/acme/pebble'
import { testFolder } from '#tests/support/app/server'
import { runToEnd, type ProgramRun } from '#tests/support/dyndns/programs'

/** What is asked of certbot. */
export interface Order {
  acme: Pebble
  /** Address of the server under test. */
  url: string
  key: string
  domains: string[]
}

/** Debian's certbot, with an account and certificates of its own. */
export class Certbot {
  readonly #folder = testFolder('certbot')

  /** Asks for a certificate; challenges are published and removed by the calls of the DNS plugin. */
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

  /** The calls of the plugin so far, such as `POST /zones/N/records 201`. */
  calls(): string[] {
    return existsSync(this.#log) ? readFileSync(this.#log, 'utf8').trim().split('\n') : []
  }

  /** Names of the certificate that it got, in order; null without one. */
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
