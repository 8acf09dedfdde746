import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Variables } from './database.ts'

/** A request to a worker, or its reply. */
interface Message {
  result?: unknown
  error?: string
}

function isReply(message: unknown): message is Message {
  return (
    typeof message === 'object' && message !== null && ('result' in message || 'error' in message)
  )
}

/** The application in its own process on one database. It runs one task at a time. */
export class Worker {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts a process that runs `file` with the argument `worker`. */
  static async start(file: string, variables: Variables): Promise<Worker> {
    const environment = { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'warn', ...variables }
    const child = fork(file, ['worker'], { env: environment, execArgv: process.execArgv })
    await once(child, 'message')
    return new Worker(child)
  }

  /** Calls a task of the worker. Throws the error of the task. */
  async ask<T>(task: string, ...args: unknown[]): Promise<T> {
    this.child.send({ task, args })
    let message: unknown
    do {
      // A serving application also sends a message to its parent.
      ;[message] = await once(this.child, 'message')
    } while (!isReply(message))
    const { result, error } = message
    if (error !== undefined) throw new Error(error)
    return result as T
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit')
    this.child.disconnect()
    await exited
  }
}

type Tasks = Record<string, (...args: never[]) => Promise<unknown>>

/** The worker's side: starts the application on the database of the environment and runs requested tasks. */
export async function serveTasks(make: () => Promise<Tasks>): Promise<void> {
  const { ignitor } = await import('../../bin/ignitor.ts')
  const app = ignitor.createApp('web')
  await app.init()
  await app.boot()
  const { migrate } = await import('#accounts/migrate')
  await migrate(app)
  answerTasks(await make(), () => app.terminate())
}

/** Runs the parent's tasks until it disconnects; `end` closes resources. */
export function answerTasks(tasks: Tasks, end: () => Promise<unknown>): void {
  process.on('message', async ({ task, args }: { task: string; args: never[] }) => {
    try {
      process.send!({ result: (await tasks[task](...args)) ?? null })
    } catch (error) {
      process.send!({ error: (error as Error).stack })
    }
  })
  process.on('disconnect', () => void end().then(() => process.exit(0)))
  process.send!('ready')
}

/** CPU milliseconds of this process, which depend little on other load. */
export async function cpu(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The 10 % quantile: other load can only make a run slower. */
export function quick(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)]
}
