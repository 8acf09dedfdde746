import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { endingWithParent, end, waitFor } from './shell.mjs'

/**
 * Starts a server with its output in `log` and waits until `isReady`. Throws the end of the log if the server does not start.
 */
export async function startServer({ name, program, args, options, log, isReady }) {
  const output = openSync(log, 'a')
  const [command, words] = endingWithParent(program, args)
  // A separate process group: Ctrl-C at the terminal must not reach the server before this process handles it.
  const child = spawn(command, words, {
    detached: true,
    stdio: ['ignore', output, output],
    ...options,
  })
  closeSync(output)
  child.on('error', () => {})
  try {
    await waitFor(
      `Start of ${name}`,
      () => {
        if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`${name} ended at its start`)
        }
        return isReady()
      },
      60_000
    )
  } catch (error) {
    await end(child)
    const tail = readFileSync(log, 'utf8').split('\n').slice(-30).join('\n')
    throw new Error(`${error.message}\n${tail}`)
  }
  return child
}
