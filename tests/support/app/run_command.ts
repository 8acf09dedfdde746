import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable, Writable } from 'node:stream'
import { cliui } from '@adonisjs/core/ace'
import kernel from '@adonisjs/core/services/ace'
import type { CommandResult } from '#tests/support/app/commands'

/** A stream that collects its data. It is not a terminal, like the pipe of a spawned command. */
class Collected extends Writable {
  readonly #chunks: Buffer[] = []

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk)
    done()
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}

/** Standard streams of one command. */
interface Streams {
  stdin: Readable
  stdout: Collected
  stderr: Collected
}

const current = new AsyncLocalStorage<Streams>()
let isRedirected = false

/**
 * Binds the console to the streams of the process. The console reads `process.stdout` and `process.stderr` once, at its first
 * call. Without this call it would write to the streams of one command from then on.
 */
function bindConsole(): void {
  for (const name of ['_stdout', '_stderr'] as const) Reflect.get(console, name)
}

/** Redirects `process.stdin`, `process.stdout` and `process.stderr` to the streams of the running command. */
function redirectStreams(): void {
  if (isRedirected) return
  isRedirected = true
  bindConsole()
  for (const name of ['stdin', 'stdout', 'stderr'] as const) {
    const { get } = Object.getOwnPropertyDescriptor(process, name)!
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => current.getStore()?.[name] ?? get!.call(process),
    })
  }
  // The console calls `write` of the streams of the process.
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name]
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = (...args: unknown[]) => {
      const collected = current.getStore()?.[name]
      return collected ? collected.write(...(args as [string])) : write(...args)
    }
  }
}

/** Runs a command and returns its exit code. Errors are rendered by the kernel, as in `bin/console.ts`. */
async function exitCodeOf([name, ...argv]: string[]): Promise<number> {
  try {
    const command = await kernel.exec(name, argv)
    return command.exitCode ?? 0
  } catch (error) {
    await kernel.errorHandler.render(error, kernel)
    return 1
  }
}

/**
 * Runs a command inside this process with its own standard streams. The application stays running.
 * Global flags (`--help`, `--ansi`) and commands that stay alive need their own process.
 */
export async function runHere(words: string[], input: string): Promise<CommandResult> {
  redirectStreams()
  // A spawned command writes into a pipe, for which the framework uses no colours.
  kernel.ui = cliui({ mode: 'silent' })
  const streams = {
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    stdout: new Collected(),
    stderr: new Collected(),
  }
  const code = await current.run(streams, () => exitCodeOf(words))
  return { code, stdout: streams.stdout.text, stderr: streams.stderr.text }
}
