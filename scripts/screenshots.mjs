/*
| Pictures of every page into docs/screenshots/, light, dark and as on a phone: `npm run screenshots`. The tests of the
| browser take them while they look each page over.
*/
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FOLDER = join(ROOT, 'docs/screenshots')

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const { status } = spawnSync(
  process.execPath,
  [join(ROOT, 'scripts/test.mjs'), '--suite=browser'],
  {
    stdio: 'inherit',
    env: { ...process.env, SCREENSHOTS: FOLDER, SCREENSHOTS_AS: 'webp' },
  }
)
console.log(`${readdirSync(FOLDER).length} pictures in docs/screenshots`)
process.exitCode = status ?? 1
