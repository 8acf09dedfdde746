/*
| The quick check before a commit: `npm run check`.
|
| Runs the type check, ESLint and Prettier on files that differ from main, and the unit tests of their folders. It needs no
| database server and no build.
*/
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changedFiles } from './lib/changed_files.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { unitTestsOf } from './lib/touched_tests.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const LINTED = /\.(ts|js|mjs)$/
/** Maximum number of files on a command line of ESLint or Prettier. With more, the whole tree is checked. */
const MAX_FILES = 400
/** Files outside of `files` in cspell.json are not checked. */
const SPELL = ['--no-progress', '--no-summary', '--quiet', '--no-must-find-files']

/** Runs a step and prints its output when it ends. Resolves to whether it succeeded. */
function step(name, program, args) {
  const startedAt = performance.now()
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = []
  child.stdout.on('data', (data) => output.push(data))
  child.stderr.on('data', (data) => output.push(data))
  return new Promise((resolve) => {
    child.once('error', (error) => output.push(Buffer.from(error.message)))
    child.once('close', (code) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      if (code !== 0) process.stdout.write(Buffer.concat(output))
      resolve(code === 0)
    })
  })
}

const tool = (name) => join(ROOT, 'node_modules/.bin', name)
const atMost = (files) => (files.length > MAX_FILES ? ['.'] : files)

await installDependencies(ROOT)
const files = changedFiles(ROOT).filter((file) => existsSync(join(ROOT, file)))
console.log(`${files.length} files differ from main`)

const linted = files.filter((file) => LINTED.test(file))
const tests = unitTestsOf(ROOT, files)
const lint = async () => [
  linted.length === 0 || (await step('lint', tool('eslint'), atMost(linted))),
  files.length === 0 ||
    (await step('format', tool('prettier'), ['--check', '--ignore-unknown', ...atMost(files)])),
  files.length === 0 ||
    files.length > MAX_FILES ||
    (await step('spelling', tool('cspell'), [...SPELL, ...files])),
]
const types = async () => [await step('types', 'npm', ['run', '--silent', 'typecheck'])]
const unit = async () => [
  await step('unit tests', process.execPath, [
    'scripts/test.mjs',
    '--suite=unit',
    `--files=${tests.join(',')}`,
  ]),
]
const isFine = (await Promise.all([lint(), types(), unit()])).flat().every(Boolean)
process.exitCode = isFine ? 0 : 1
