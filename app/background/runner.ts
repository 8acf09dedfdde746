import type { BackgroundWorker, TaskSchedule } from '#background/task'

/** A task of the serving process. */
export interface TaskDeclaration {
  name: string
  schedule: TaskSchedule
  /** Whether the settings need the task; always if absent. */
  isEnabled?(): boolean | Promise<boolean>
  create(): Promise<BackgroundWorker>
}

/** Starts the declared tasks and stops all of them. */
export class BackgroundRunner {
  readonly #workers = new Map<string, BackgroundWorker>()
  #isStopped = false

  constructor(private readonly declarations: readonly TaskDeclaration[]) {}

  /** Starts the enabled tasks in the declared order. */
  async start(): Promise<void> {
    for (const { name, schedule, isEnabled, create } of this.declarations) {
      if (isEnabled && !(await isEnabled())) {
        continue
      }
      const worker = await create()
      // The process may be asked to stop during its start.
      if (this.#isStopped) {
        return
      }
      this.#workers.set(name, worker)
      worker.start(schedule)
    }
  }

  /** Stops all tasks. Resolves when none runs. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()))
  }
}
