/*
 * Runs one benchmark: npm run bench -- dns runs bench/dns.ts with the following arguments, on the project's Node.js and with
 * the TypeScript loader of the tests.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (file) => fileURLToPath(new URL(file, import.meta.url))
const [name = '', ...more] = process.argv.slice(2)

if (!/^[a-z_]+$/.test(name) || !existsSync(path(`${name}.ts`))) {
  const files = readdirSync(path('.')).filter((file) => file.endsWith('.ts'))
  const names = files.map((file) => file.slice(0, -'.ts'.length)).join(', ')
  console.error(`Usage: npm run bench -- <name>; the names are: ${names}`)
  process.exit(2)
}

const pinned = path('../node_modules/.bin/node')
const node = existsSync(pinned) ? pinned : process.execPath
const flags = ['--expose-gc', '--import=@poppinss/ts-exec']
const { status } = spawnSync(node, [...flags, path(`${name}.ts`), ...more], {
  cwd: path('..'),
  stdio: 'inherit',
})
process.exit(status ?? 1)
