import { execFile, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** A problem that the user at the terminal can fix; printed without a stack. */
export class OperatorError extends Error {}

const SYSTEM_FOLDERS = [
  '/usr/local/sbin',
  '/usr/local/bin',
  '/usr/sbin',
  '/usr/bin',
  '/sbin',
  '/bin',
]

/**
 * Path of a program on PATH or in the system folders; null if missing. Daemons are often in a folder that only root has on
 * PATH.
 */
export function which(program, folders = []) {
  const path = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  for (const folder of [...folders, ...path, ...SYSTEM_FOLDERS]) {
    const file = join(folder, program)
    if (existsSync(file)) {
      return file
    }
  }
  return null
}

/** Runs a program and returns its stdout. Throws its output if it fails. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26, ...options })
  if (result.error || result.status !== 0) {
    const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim()
    const reason = result.error?.message ?? `exit code ${result.status ?? result.signal}`
    throw new Error(`${program} ${args.join(' ')}: ${reason}\n${output}`)
  }
  return result.stdout ?? ''
}

/** Runs a program without blocking and resolves to its stdout. Rejects with its output if it fails. */
export async function capture(program, args, options = {}) {
  try {
    return (await execute(program, args, { maxBuffer: 2 ** 26, ...options })).stdout
  } catch (error) {
    const output = `${error.stdout ?? ''}${error.stderr ?? ''}`.trim()
    throw new Error(`${program} ${args.join(' ')}: ${error.code ?? error.signal}\n${output}`)
  }
}

/** Runs a program on the streams of this process. Resolves to its exit code. */
export function runVisibly(program, args, options = {}) {
  const { onSpawn, ...rest } = options
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...rest })
    onSpawn?.(child)
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

/** Command line that ends the program by `signal` when this process dies, even by SIGKILL. */
export function endingWithParent(program, args, signal = 'KILL') {
  const setpriv = which('setpriv')
  return setpriv ? [setpriv, ['--pdeathsig', signal, '--', program, ...args]] : [program, args]
}

/** Ends a child process: SIGTERM, then SIGKILL after `timeoutMs`. */
export async function end(child, timeoutMs = 10_000) {
  if (child.exitCode !== null || child.signalCode !== null) {
    return
  }
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await gone
  clearTimeout(timer)
}

/** Waits until `check` is true. Throws after `within` ms with `what` in the message. */
export async function waitFor(what, check, within) {
  const deadline = Date.now() + within
  while (!(await check())) {
    if (Date.now() > deadline) {
      throw new Error(`${what} did not happen within ${within / 1000} s`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
