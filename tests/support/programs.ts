import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Environment of programs at the time of the call. Daemons are often in folders that only root has on PATH. */
const environment = () => ({
  ...process.env,
  PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin:/sbin`,
})
const SETPRIV = '/usr/bin/setpriv'

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Runs a program to its end and returns its stdout. Rejects with its stderr after a failure. */
export async function runProgram(program: string, args: string[]): Promise<string> {
  const { stdout } = await execute(program, args, { env: environment(), maxBuffer: 2 ** 26 })
  return stdout
}

/** Like `runProgram`, with stderr appended to stdout. */
export async function outputOf(program: string, args: string[]): Promise<string> {
  const { stdout, stderr } = await execute(program, args, { env: environment() })
  return stdout + stderr
}

/** Starts a server that ends with this process. `output` is an open file for its output. */
export function startProgram(program: string, args: string[], output: number): ChildProcess {
  const words = existsSync(SETPRIV)
    ? [SETPRIV, '--pdeathsig', 'KILL', '--', program, ...args]
    : [program, ...args]
  const child = spawn(words[0], words.slice(1), {
    env: environment(),
    stdio: ['ignore', output, output],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends a started program and waits for its end. Sends SIGKILL if SIGTERM has no effect. */
export async function endProgram(child: ChildProcess, timeoutMs = 5_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return
  }
  const deleted = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await deleted
  clearTimeout(timer)
}

/** Ends every running program. */
export async function endAllPrograms(): Promise<void> {
  await Promise.all([...running].map((child) => endProgram(child)))
}

/** Returns a free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
