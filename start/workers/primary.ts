import cluster, { type Worker } from 'node:cluster'
import { transferConnections } from '#start/workers/handover'
import { RestartPause, STEADY_MS } from '#start/workers/pace'

/** Time after which workers that still run are killed; each needs about 5 s at most. */
const STOP_MS = 20_000

/**
 * MiB of each half of the young generation of a worker. V8 would let it grow to 32 MiB during a long response, and would not
 * shrink it. Most data of a response is garbage long before 8 MiB are full.
 */
const YOUNG_GENERATION_MIB = 8

/** Log for events of workers, such as the application's logger. */
export interface PrimaryLog {
  info(fields: object, text: string): void
  error(fields: object, text: string): void
  fatal(fields: object, text: string): void
}

/**
 * Starts the workers, distributes connections among them, and replaces workers that end. Loads nothing of the application, so
 * that little can fail. The first worker tests settings, database and port; if it fails, the service ends. The others start
 * when it listens.
 */
export class Primary {
  readonly #restartPause = new RestartPause()
  /** Running workers, with the time in ms since they serve; null before. */
  readonly #workers = new Map<Worker, number | null>()
  readonly #end = Promise.withResolvers<number>()
  #hasServed = false
  #isStopping = false
  #exitCode = 0

  /** @param script the file that each worker runs */
  constructor(
    private readonly script: string,
    private readonly count: number,
    private readonly logger: PrimaryLog
  ) {}

  /** Runs until SIGTERM or SIGINT. Resolves to the exit code when no worker is left. */
  run(): Promise<number> {
    const flags = [`--max-semi-space-size=${YOUNG_GENERATION_MIB}`, ...process.execArgv]
    cluster.setupPrimary({ exec: this.script, execArgv: flags })
    cluster.on('listening', (worker) => this.#onListening(worker))
    cluster.on('exit', (worker, code, signal) => this.#onExit(worker, code, signal))
    process.on('SIGTERM', () => this.#stop())
    process.on('SIGINT', () => this.#stop())
    this.#fork()
    return this.#end.promise
  }

  #fork(): void {
    const worker = cluster.fork()
    this.#workers.set(worker, null)
    transferConnections(worker, () => this.#hasOtherWorkers(worker))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      // A process that could not be created has no exit event. Other errors are of a broken channel.
      if (worker.process.pid === undefined) {
        this.#onExit(worker, null, error.code ?? error.message)
      }
    })
  }

  #onListening(worker: Worker): void {
    if (this.#isStopping) {
      return
    }
    this.#workers.set(worker, Date.now())
    this.logger.info({ worker: worker.process.pid }, 'Worker ready')
    if (!this.#hasServed) {
      this.#hasServed = true
      for (let remainingStarts = this.count - 1; remainingStarts > 0; remainingStarts -= 1) {
        this.#fork()
      }
    }
  }

  /** @param reason the signal that ended it, or why it could not be started */
  #onExit(worker: Worker, code: number | null, reason: string | null): void {
    const since = this.#workers.get(worker) ?? null
    const ending = { worker: worker.process.pid, code, reason }
    this.#workers.delete(worker)
    if (this.#isStopping) {
      if (since !== null && code !== 0) {
        this.#exitCode = 1
      }
      this.#endWithoutWorkers()
    } else if (this.#hasServed) {
      this.#replace(since === null ? 0 : Date.now() - since, ending)
    } else {
      if (reason !== null) {
        this.logger.fatal(ending, 'The first worker ended before it was ready')
      }
      this.#exitCode = code || 1
      this.#endWithoutWorkers()
    }
  }

  #replace(servedMs: number, ending: object): void {
    const pause = this.#restartPause.after(servedMs)
    if (this.#restartPause.isHopeless && !this.#hasSteadyWorker()) {
      this.logger.fatal(ending, 'Workers repeatedly end soon after their start: stopped')
      this.#exitCode = 1
      this.#stop()
      return
    }
    this.logger.error({ ...ending, pause_ms: pause }, 'Worker ended: replacement follows')
    setTimeout(() => {
      if (!this.#isStopping) {
        this.#fork()
      }
    }, pause)
  }

  /** Returns whether another worker accepts connections. */
  #hasOtherWorkers(one: Worker): boolean {
    return [...this.#workers].some(
      ([other, since]) => other !== one && since !== null && other.isConnected()
    )
  }

  #hasSteadyWorker(): boolean {
    const moment = Date.now() - STEADY_MS
    return [...this.#workers.values()].some((since) => since !== null && since <= moment)
  }

  /** Further signals have no effect: systemd, terminals and supervisors may send several. */
  #stop(): void {
    if (this.#isStopping) {
      return
    }
    this.#isStopping = true
    for (const [worker, since] of this.#workers) {
      // A worker that does not serve yet has no requests to finish.
      worker.process.kill(since === null ? 'SIGKILL' : 'SIGTERM')
    }
    setTimeout(() => {
      this.#workers.forEach((_, worker) => worker.process.kill('SIGKILL'))
    }, STOP_MS)
    this.#endWithoutWorkers()
  }

  #endWithoutWorkers(): void {
    if (this.#workers.size === 0) {
      this.#end.resolve(this.#exitCode)
    }
  }
}
