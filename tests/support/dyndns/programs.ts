import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testFolder } from '#tests/support/app/server'

/** Output of a program (stdout and stderr in order) and its exit code. */
export interface ProgramRun {
  code: number | null
  log: string
}

/** Runs a program to its end with additional environment variables. `timeout` is in milliseconds. */
export function runToEnd(
  program: string,
  args: string[],
  { variables = {}, timeout = 30_000 }: { variables?: object; timeout?: number } = {}
): Promise<ProgramRun> {
  const path = `${process.env.PATH}:/usr/sbin:/sbin`
  const child = spawn(program, args, {
    env: { ...process.env, PATH: path, ...variables },
    timeout,
  })
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (log += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, log }))
  })
}

/** Configuration of a client. */
export interface ClientSetup {
  port: number
  hosts: string[]
  username: string
  password: string
  address: string
}

/** The ddclient of Debian, with its own cache that remains between runs. */
export class Ddclient {
  readonly #folder = testFolder('ddclient')

  /** Makes one pass, as its daemon does every few minutes. */
  run({ port, hosts, username, password, address }: ClientSetup): Promise<ProgramRun> {
    const file = join(this.#folder, 'ddclient.conf')
    const lines = [
      'protocol=dyndns2',
      `use=ip, ip=${address}`,
      `server=127.0.0.1:${port}`,
      'script=/nic/update',
      'ssl=no',
      'min-interval=0',
      'min-error-interval=0',
      `login=${username}`,
      `password='${password}'`,
      hosts.join(','),
    ]
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    const cache = join(this.#folder, 'cache')
    return runToEnd('ddclient', [
      '-daemon=0',
      '-noquiet',
      '-verbose',
      `-file=${file}`,
      `-cache=${cache}`,
      `-pid=${join(this.#folder, 'pid')}`,
    ])
  }
}

/** The inadyn of Debian, with its own cache that remains between runs. */
export class Inadyn {
  readonly #folder = testFolder('inadyn')

  /** Makes one pass. */
  run({ port, hosts, username, password, address }: ClientSetup): Promise<ProgramRun> {
    const file = join(this.#folder, 'inadyn.conf')
    const isIpv6 = address.includes(':')
    const names = hosts.length === 1 ? hosts[0] : `{ ${hosts.map((it) => `"${it}"`).join(', ')} }`
    const lines = [
      `allow-ipv6 = ${isIpv6}`,
      'custom zonewright {',
      `  hostname = ${names}`,
      `  username = "${username}"`,
      `  password = "${password}"`,
      `  ddns-server = 127.0.0.1:${port}`,
      '  ddns-path = "/nic/update?hostname=%h&myip=%i"',
      '  ssl = false',
      `  checkip-command = "/bin/echo ${address}"`,
      '}',
    ]
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    const cache = ['--cache-dir', this.#folder, '--no-pidfile']
    return runToEnd('inadyn', ['-1', '-n', '-l', 'debug', '-f', file, ...cache])
  }
}
