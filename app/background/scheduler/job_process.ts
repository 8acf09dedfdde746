import { fork, type ChildProcess } from 'node:child_process'
import type { Ending } from '#background/scheduler/leases'
import type { Job } from '#background/scheduler/declaration'
import { OutputTail } from '#background/scheduler/tail'
import { JOB_VARIABLE } from '#support/job_process'

/** Time after SIGTERM until SIGKILL. */
const KILL_DELAY_MS = 2_000

/** Why the scheduler ended the command. */
type EndReason = 'timed_out' | 'stopped' | 'lost'

/**
 * The process of a running job. A separate process returns its memory, can be killed by a timeout, and does not block
 * requests. It ends with its parent, however that ends (`app/support/job_process.ts`).
 */
export class JobProcess {
  readonly #child: ChildProcess
  readonly #outputTail = new OutputTail()
  readonly #timeout: NodeJS.Timeout
  #endReason: EndReason | null = null
  /** Resolves when the process has ended; never rejects. */
  readonly ended: Promise<Ending>

  /**
   * @param script `ace.js`, which runs Ace commands
   * @param echo   receives the output of the command
   */
  constructor(script: string, job: Job, echo?: (text: string) => void) {
    this.#child = fork(script, [job.name, ...job.arguments], {
      env: { ...process.env, [JOB_VARIABLE]: job.name },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#outputTail.append(text)
        echo?.(text)
      })
    }
    this.#timeout = setTimeout(() => this.#end('timed_out'), job.timeoutMs)
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        // The process did not start, or could not be signalled.
        this.#outputTail.append(`${error.message}\n`)
        if (this.#child.pid === undefined) resolve(this.#toEnding(null))
      })
      this.#child.once('close', (code) => resolve(this.#toEnding(code)))
    })
    void this.ended.then(() => clearTimeout(this.#timeout))
  }

  /** Asks the command to end, and kills it soon. */
  stop(): void {
    this.#end('stopped')
  }

  /** Kills the command, because another node may run the job by now. */
  abandon(): void {
    this.#endReason ??= 'lost'
    this.#child.kill('SIGKILL')
  }

  #end(reason: EndReason): void {
    this.#endReason ??= reason
    this.#child.kill('SIGTERM')
    const killTimer = setTimeout(() => this.#child.kill('SIGKILL'), KILL_DELAY_MS)
    void this.ended.then(() => clearTimeout(killTimer))
  }

  #toEnding(code: number | null): Ending {
    const outcome = code === 0 ? 'succeeded' : (this.#endReason ?? 'failed')
    return { outcome, exitCode: code, output: this.#outputTail.lines }
  }
}
