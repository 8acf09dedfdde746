import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { eventually } from '#tests/support/eventually'
import { listensAt } from '#tests/support/faults/process_tree'
import { endProgram, freePort, startProgram } from '#tests/support/programs'

/** How a server ended. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  /** Time from the signal to the end. */
  milliseconds: number
}

/** Number of ports to try if other processes take them. */
const PORTS = 3
/** Timeout for the end of a server, after which the test kills it. */
const TIMEOUT_MS = 60_000

/** The real server in its own process and on its own port, with the database of the test run. */
export class ServerProcess {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly logFile: string
  ) {}

  /** Like `start`, but does not wait. */
  static async begin(
    overrides: Record<string, string | number> = {},
    script = 'build/bin/server.js'
  ): Promise<ServerProcess> {
    const port = overrides.PORT ?? (await freePort())
    const folder = mkdtempSync(join(process.env.ZW_TEST_DIR ?? tmpdir(), 'server-'))
    const environment = { NODE_ENV: 'test', HOST: '127.0.0.1', PORT: port, ...overrides }
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    const words = [process.execPath, script]
    const logFile = join(folder, 'log')
    const output = openSync(logFile, 'a')
    const child = startProgram('env', [...variables, ...words], output)
    closeSync(output)
    return new ServerProcess(`http://127.0.0.1:${port}`, child, logFile)
  }

  /**
   * Starts a server and waits until it responds. `overrides` replace variables of the test run. `script` is the entry point.
   */
  static async start(
    overrides?: Record<string, string | number>,
    script?: string
  ): Promise<ServerProcess> {
    for (let left = PORTS; ; left -= 1) {
      const server = await ServerProcess.begin(overrides, script)
      try {
        if (await eventually(() => server.#ready(), { within: 60_000, every: 20 })) return server
        if (left <= 1) throw new Error('It ended by itself')
      } catch (error) {
        await server.stop()
        throw new Error(`The server did not start\n${server.log()}`, { cause: error })
      }
    }
  }

  /** Returns true once this process responds, because another test may have taken the port. False if the process ended. */
  async #ready(): Promise<boolean> {
    if (!this.isRunning) {
      return false
    }
    const response = await fetch(`${this.url}/ping`, { signal: AbortSignal.timeout(5_000) })
    if (response.status !== 200 || !listensAt(this.pid, Number(new URL(this.url).port))) {
      throw new Error(`/ping answered ${response.status}, of it or of another server`)
    }
    return true
  }

  get pid(): number {
    return this.child.pid!
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** Current memory of the process, in MiB. */
  get memory(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024
  }

  /** Sends a signal and waits for the end of the process. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ending> {
    const startTime = performance.now()
    if (this.isRunning) {
      const deleted = new Promise((resolve) => this.child.once('exit', resolve))
      this.child.kill(signal)
      const timer = setTimeout(() => this.child.kill('SIGKILL'), TIMEOUT_MS)
      await deleted
      clearTimeout(timer)
    }
    const { exitCode: code, signalCode } = this.child
    return { code, signal: signalCode, milliseconds: performance.now() - startTime }
  }

  /** Ends the server in any state. Repeated calls have no effect. */
  async stop(): Promise<void> {
    await endProgram(this.child, 2_000)
  }

  /** Returns log lines of level error or above. */
  complaints(): string[] {
    return this.log()
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line))
  }

  /** Returns the output so far. */
  log(): string {
    return readFileSync(this.logFile, 'utf8')
  }
}
