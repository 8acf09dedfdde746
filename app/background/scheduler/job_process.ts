import { fork, type ChildProcess } from 'node:child_process'
import type { Ending } from '#background/scheduler/leases'
import type { Job } from '#background/scheduler/declaration'
import { Tail } from '#background/scheduler/tail'
import { JOB_VARIABLE } from '#support/job_process'

/** A command that was asked to end is killed after so long. */
const GRACE_MS = 2_000

/** Why a command was ended before it ended itself. */
type Reason = 'timed_out' | 'stopped' | 'lost'

/**
 * A job at work: its command in a process of its own. What it takes of memory goes with it, a time-out can end it wherever
 * it hangs, and it cannot hold up the requests of the process that started it. It ends with that one, however
 * that ends (`app/support/job_process.ts`).
 */
export class JobProcess {
  readonly #child: ChildProcess
  readonly #tail = new Tail()
  readonly #timeout: NodeJS.Timeout
  #reason: Reason | null = null
  /** Resolves when the process is gone; never rejects. */
  readonly ended: Promise<Ending>

  /**
   * @param script what runs Ace commands: `ace.js`
   * @param echo gets what the command writes, as it comes
   */
  constructor(script: string, job: Job, echo?: (text: string) => void) {
    this.#child = fork(script, [job.name, ...job.arguments], {
      env: { ...process.env, [JOB_VARIABLE]: job.name },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#tail.add(text)
        echo?.(text)
      })
    }
    this.#timeout = setTimeout(() => this.#end('timed_out'), job.timeoutMs)
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        // It could not be started, or not be told to end.
        this.#tail.add(`${error.message}\n`)
        if (this.#child.pid === undefined) resolve(this.#ending(null))
      })
      this.#child.once('close', (code) => resolve(this.#ending(code)))
    })
    void this.ended.then(() => clearTimeout(this.#timeout))
  }

  /** Asks the command to end, and kills it soon. */
  stop(): void {
    this.#end('stopped')
  }

  /** Kills the command: another node may have the job by now. */
  abandon(): void {
    this.#reason ??= 'lost'
    this.#child.kill('SIGKILL')
  }

  #end(reason: Reason): void {
    this.#reason ??= reason
    this.#child.kill('SIGTERM')
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), GRACE_MS)
    void this.ended.then(() => clearTimeout(killer))
  }

  #ending(code: number | null): Ending {
    const outcome = code === 0 ? 'succeeded' : (this.#reason ?? 'failed')
    return { outcome, exitCode: code, output: this.#tail.lines }
  }
}
