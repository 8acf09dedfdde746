import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Variables } from './database.ts'

/** What a worker was asked, and what it said. */
interface Message {
  result?: unknown
  error?: string
}

function isAnswer(message: unknown): message is Message {
  return (
    typeof message === 'object' && message !== null && ('result' in message || 'error' in message)
  )
}

/** The application in a process of its own, on one database. Asked one thing at a time. */
export class Worker {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts a process that runs `file` with the argument `worker`. */
  static async start(file: string, variables: Variables): Promise<Worker> {
    const environment = { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'warn', ...variables }
    const child = fork(file, ['worker'], { env: environment, execArgv: process.execArgv })
    await once(child, 'message')
    return new Worker(child)
  }

  /** Calls a task of the worker. Throws what it threw. */
  async ask<T>(task: string, ...args: unknown[]): Promise<T> {
    this.child.send({ task, args })
    let message: unknown
    do {
      // An application that serves tells its parent so, too.
      ;[message] = await once(this.child, 'message')
    } while (!isAnswer(message))
    const { result, error } = message
    if (error !== undefined) throw new Error(error)
    return result as T
  }

  async stop(): Promise<void> {
    const gone = once(this.child, 'exit')
    this.child.disconnect()
    await gone
  }
}

type Tasks = Record<string, (...args: never[]) => Promise<unknown>>

/** The other side: starts the application on the database of the environment, and does what it is asked. */
export async function serveTasks(make: () => Promise<Tasks>): Promise<void> {
  const { ignitor } = await import('../../bin/ignitor.ts')
  const app = ignitor.createApp('web')
  await app.init()
  await app.boot()
  const { migrate } = await import('#accounts/migrate')
  await migrate(app)
  answerTasks(await make(), () => app.terminate())
}

/** Does what the parent asks, until it is gone; `end` puts away what was opened. */
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

/** Processor time that this process has taken, in ms: what others do on the machine changes it little. */
export async function cpu(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** The time that one in ten stays below: what else the machine does only ever makes it slower. */
export function quick(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)]
}
