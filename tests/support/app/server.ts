import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { homePath } from '#support/home'
import { eventually } from '#tests/support/eventually'
import { endProgram, freePort, startProgram } from '#tests/support/programs'

/** Creates a folder of this test run, named after its purpose. */
export function testFolder(purpose: string): string {
  return mkdtempSync(join(process.env.ZW_TEST_DIR ?? tmpdir(), `${purpose}-`))
}

/** A server that tests call over HTTP. */
export class CalledServer {
  protected constructor(readonly url: string) {}

  /** Returns the server of this process. `changeSettings` changes its settings. */
  static ofThisProcess(): CalledServer {
    return new CalledServer(`http://${process.env.HOST}:${process.env.PORT}`)
  }

  /** Sends a request and returns the response. */
  async call(method: string, path: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${this.url}${path}`, { method, headers })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => JSON.parse(text),
    }
  }

  get(path: string, headers: Record<string, string> = {}) {
    return this.call('GET', path, headers)
  }
}

/**
 * The real server in its own process, on the database of this run, with other settings. A test that only needs other
 * settings uses `changeSettings`, which starts no process.
 */
export class OtherServer extends CalledServer {
  private constructor(
    url: string,
    private readonly child: ChildProcess,
    private readonly logFile: string
  ) {
    super(url)
  }

  /** Starts a server with these variables and waits until it listens. */
  static async start(variables: Record<string, string>): Promise<OtherServer> {
    const port = await freePort()
    const logFile = join(testFolder('server'), 'log')
    const output = openSync(logFile, 'a')
    const settings = Object.entries({ ...variables, NODE_ENV: 'test', PORT: String(port) })
    const child = startProgram(
      '/usr/bin/env',
      [
        ...settings.map(([name, value]) => `${name}=${value}`),
        process.execPath,
        homePath('build/bin/server.js'),
      ],
      output
    )
    closeSync(output)
    const server = new OtherServer(`http://127.0.0.1:${port}`, child, logFile)
    try {
      const listens = await eventually(() => server.#listens(port), { within: 45_000 })
      if (!listens) throw new Error('It ended by itself')
    } catch (error) {
      await server.stop()
      throw new Error(`The server did not start\n${server.log()}`, { cause: error })
    }
    return server
  }

  /** Returns true once the server listens; false if it ended. */
  async #listens(port: number): Promise<boolean> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) {
      return false
    }
    await new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      socket.once('connect', () => resolve(socket.destroySoon()))
      socket.once('error', reject)
    })
    return true
  }

  /** Returns the output so far. */
  log(): string {
    return readFileSync(this.logFile, 'utf8')
  }

  /** Kills the server with SIGKILL. */
  kill(): void {
    this.child.kill('SIGKILL')
  }

  /** Stops the server. Repeated calls have no effect. */
  async stop(): Promise<void> {
    await endProgram(this.child)
  }
}
