import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { get } from 'node:https'
import { testFolder } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { endProgram, freePort, runProgram, startProgram } from '#tests/support/programs'

/**
 * Variables of pebble: it checks challenges at once, reuses no authorization, and never rejects a nonce at random,
 * because certbot does not always handle a rejected nonce.
 */
const VARIABLES = ['PEBBLE_VA_NOSLEEP=1', 'PEBBLE_AUTHZREUSE=0', 'PEBBLE_WFE_NONCEREJECT=0']

/** The ACME server pebble (RFC 8555). It sends all challenge queries to one name server. */
export class Pebble {
  private constructor(
    /** URL of the directory. */
    readonly directory: string,
    /** File with the TLS certificate of pebble. */
    readonly certificate: string,
    private readonly child: ChildProcess,
    private readonly logFile: string
  ) {}

  /** Starts pebble with the name server on this port of 127.0.0.1. */
  static async start(dnsPort: number): Promise<Pebble> {
    const folder = testFolder('pebble')
    const [port, managementPort] = [await freePort(), await freePort()]
    const [certificate, key] = await serverCertificate(folder)
    const config = join(folder, 'config.json')
    const pebble = {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      certificate,
      privateKey: key,
      httpPort: 1,
      tlsPort: 1,
      ocspResponderURL: '',
      externalAccountBindingRequired: false,
    }
    writeFileSync(config, JSON.stringify({ pebble }))
    const logFile = join(folder, 'log')
    const output = openSync(logFile, 'a')
    const words = ['pebble', '-config', config, '-dnsserver', `127.0.0.1:${dnsPort}`]
    const child = startProgram('/usr/bin/env', [...VARIABLES, ...words], output)
    closeSync(output)
    const server = new Pebble(`https://127.0.0.1:${port}/dir`, certificate, child, logFile)
    try {
      await eventually(() => server.#answers(), { within: 15_000 })
    } catch (error) {
      await server.stop()
      throw new Error(`pebble did not start\n${server.log()}`, { cause: error })
    }
    return server
  }

  #answers(): Promise<void> {
    const ca = readFileSync(this.certificate)
    return new Promise((resolve, reject) => {
      get(this.directory, { ca }, (answer) => {
        answer.resume()
        resolve()
      }).once('error', reject)
    })
  }

  /** Returns the output so far. */
  log(): string {
    return readFileSync(this.logFile, 'utf8')
  }

  async stop(): Promise<void> {
    await endProgram(this.child)
  }
}

/** Creates a self-signed certificate for 127.0.0.1 and its key. */
async function serverCertificate(folder: string): Promise<[string, string]> {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  await runProgram('openssl', [
    ...[...words, '-nodes', '-days', '2', '-subj', '/CN=pebble of the tests'],
    ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
  ])
  return [certificate, key]
}
