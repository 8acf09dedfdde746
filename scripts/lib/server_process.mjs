import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dyingWithUs, end, waitFor } from './shell.mjs'

/**
 * Starts a server with its output in `log` and waits until `isReady`. Throws with the end of the log
 * when it does not come up.
 */
export async function startServer({ name, program, args, options, log, isReady }) {
  const output = openSync(log, 'a')
  const [command, words] = dyingWithUs(program, args)
  // A group of its own: a Ctrl-C at the terminal is ours to handle, in order.
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
