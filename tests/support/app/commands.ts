import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { homePath } from '#support/home'
import { runHere } from '#tests/support/app/run_command'

/** Result of a command. */
export interface CommandResult {
  code: number | null
  stdout: string
  stderr: string
}

/** Options of a command. */
interface Run {
  node?: string
  /** Standard input of the command. */
  input?: string
  variables?: Record<string, string>
  /** Runs the command in its own process. `node` and `variables` always do. */
  spawned?: boolean
}

/** Returns the Node.js of the system's PATH, which may be too old for Zonewright. */
function nodeOfTheSystem(): string {
  const folders = `${process.env.PATH}:/usr/local/bin:/usr/bin`.split(delimiter)
  const outside = folders.filter((folder) => !folder.includes('node_modules'))
  const program = outside.map((folder) => join(folder, 'node')).find((file) => existsSync(file))
  return program ?? process.execPath
}

/** The Node.js programs that run `node ace.js`. */
export const NODES = {
  'the pinned Node': process.execPath,
  'the Node of the system': nodeOfTheSystem(),
}

/**
 * Runs a command on the database of this test run, by default in this process.
 *
 * With `spawned` or `variables`, the command runs as `build/ace.js` in its own process. With `node`, that program runs
 * `ace.js` of the sources.
 */
export function ace(
  words: string[],
  { node, input = '', variables, spawned = false }: Run = {}
): Promise<CommandResult> {
  if (!spawned && node === undefined && variables === undefined) {
    return runHere(words, input)
  }
  const program = node ? [node, 'ace.js'] : [process.execPath, 'build/ace.js']
  const child = spawn(program[0], [homePath(program[1]), ...words], {
    cwd: homePath('.'),
    env: { ...process.env, NODE_ENV: 'test', ...variables },
  })
  const result = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => (result.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (result.stderr += text))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...result }))
  })
}
