import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
// @ts-expect-error -- plain JavaScript
import { freePort } from '../../scripts/lib/free_port.mjs'
import type { Variables } from '../support/database.ts'

const HOME = fileURLToPath(new URL('../../', import.meta.url))
const START = 'build/bin/start.js'
const POLL_MS = 20
const TIMEOUT_MS = 60_000

/** Compiles the product to `build/`, as in an installation. Throws if that fails. */
export function build(): void {
  const { status } = spawnSync(process.execPath, ['ace.js', 'build'], {
    cwd: HOME,
    stdio: 'ignore',
  })
  if (status !== 0) throw new Error('The build failed: npm run build tells why')
}

/** Updates the search index, as the service does in the background. Throws if that fails. */
export function indexTexts(variables: Variables): void {
  const { status, stderr } = spawnSync(process.execPath, ['build/ace.js', 'search:index'], {
    cwd: HOME,
    env: { ...process.env, ...variables, NODE_ENV: 'production', LOG_LEVEL: 'error' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The search index could not be created\n${stderr}`)
}

/** Node.js flags of `npm start`. */
function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(HOME, 'package.json'), 'utf8'))
  const [, flags] = /exec node (.*)build\/bin\/start\.js/.exec(scripts.start)!
  return flags.split(' ').filter(Boolean)
}

/** Resident memory of the server's processes in MiB: at the start of a measurement, and its maximum. */
export interface Memory {
  before: number
  peak: number
}

/** The product as `npm start` runs it, in its own processes. */
export class Product {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess
  ) {}

  /** Starts the product and waits until it answers. Throws its output if it does not. */
  static async start(variables: Variables, log: string): Promise<Product> {
    const port: number = await freePort()
    const output = openSync(log, 'a')
    const environment = { ...process.env, ...variables, HOST: '127.0.0.1', PORT: String(port) }
    const child = spawn(process.execPath, [...startFlags(), START], {
      cwd: HOME,
      env: { ...environment, NODE_ENV: 'production', LOG_LEVEL: 'error' },
      stdio: ['ignore', output, output],
    })
    closeSync(output)
    process.once('exit', () => child.kill('SIGKILL'))
    const product = new Product(port, child)
    const until = performance.now() + TIMEOUT_MS
    while (!(await product.#answers())) {
      if (child.exitCode !== null || performance.now() > until) {
        await product.stop()
        throw new Error(`The server did not start\n${readFileSync(log, 'utf8')}`)
      }
      await sleep(100)
    }
    return product
  }

  async #answers(): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/ping`).catch(() => null)
    return answer?.status === 200
  }

  /** Measures the memory while `work` runs. */
  async watch<T>(work: () => Promise<T>): Promise<{ result: T; memory: Memory }> {
    const before = memoryOf(this.child.pid!)
    let peak = before
    const sample = () => (peak = Math.max(peak, memoryOf(this.child.pid!)))
    const timer = setInterval(sample, POLL_MS)
    try {
      const result = await work()
      sample()
      return { result, memory: { before, peak } }
    } finally {
      clearInterval(timer)
    }
  }

  /** Number of processes, including the primary. */
  get processes(): number {
    return processTreeOf(this.child.pid!).length
  }

  /** Number of processes that answer requests. With several workers the primary answers none. */
  get servers(): number {
    return Math.max(1, this.processes - 1)
  }

  /** CPU milliseconds of the current processes. */
  get cpu(): number {
    return processTreeOf(this.child.pid!).reduce((sum, pid) => sum + cpuOf(pid), 0)
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const exited = once(this.child, 'exit')
    this.child.kill('SIGTERM')
    await exited
  }
}

/** A process and all its descendants. */
function processTreeOf(pid: number): number[] {
  const processTree = [pid]
  for (const parent of processTree) processTree.push(...childrenOf(parent))
  return processTree
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(join('/proc', String(pid), 'task', task, 'children'), 'utf8')
        .split(' ')
        .filter(Boolean)
        .map(Number)
    )
  } catch {
    return []
  }
}

/** CPU milliseconds. Linux counts hundredths of a second (proc(5), utime and stime). */
function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return (Number(user) + Number(system)) * 10
  } catch {
    return 0
  }
}

/** Resident memory of a process and its descendants in MiB; 0 if unknown. */
function memoryOf(pid: number): number {
  let kibibytes = 0
  for (const processId of processTreeOf(pid)) {
    try {
      const status = readFileSync(`/proc/${processId}/status`, 'utf8')
      kibibytes += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0)
    } catch {
      // The process has ended.
    }
  }
  return kibibytes / 1024
}
