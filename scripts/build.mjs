/*
| Compiles the product to `build/`: `npm run build`. Tests and the quick start use this build until the sources change.
*/
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stampBuild } from './lib/build.mjs'
import { pinnedNode } from './lib/dependencies.mjs'
import { OperatorError, runVisibly } from './lib/shell.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

try {
  const path = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH: path }
  const code = await runVisibly(pinnedNode(ROOT), ['ace.js', 'build'], { cwd: ROOT, env })
  if (code === 0) stampBuild(ROOT)
  process.exitCode = code
} catch (error) {
  console.error(error instanceof OperatorError ? error.message : error)
  process.exitCode = 1
}
