/*
| Takes screenshots of every page into tmp/screenshots/: light, dark, on a small screen and from right to left. The browser
| tests take them. The tests of every page run first, in an installation without other data.
|
|   npm run screenshots                        all screenshots; empties the folder first
|   npm run screenshots -- --files=every_page  only the screenshots of some test files
|   npm run screenshots -- --docs              also replaces the pictures in docs/images/
|
| tmp/screenshots/README.md lists the screenshots.
*/
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'prettier'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const FOLDER = join(ROOT, 'tmp/screenshots')
/** Screenshots of README.md and docs/, with their names in docs/images/. */
const IN_DOCS = {
  'api-docs': 'api-docs',
  'every-home-phone': 'overview-phone',
  'every-zones-dark': 'zones-dark',
  'every-zones-light': 'zones-light',
  'path-1-first-run': 'first-administrator',
  'path-2-new-zone': 'new-zones',
  'path-3-signed': 'dnssec',
  'path-4-request': 'change-request',
  'path-5-key': 'api-key',
  'tour-editor': 'editor',
  'tour-history': 'history',
  'tour-review': 'review',
}
/** Runs in a separate installation, because its lists must not show data of other tests. */
const ISOLATED = 'every_page'
/** Display modes, by the suffix of the file name. */
const DISPLAY_MODES = {
  'light': 'light',
  'dark': 'dark',
  'phone': 'phone',
  'arabic': 'right to left',
  'odd': 'phone, dark, right to left',
  'dark-phone': 'phone, dark',
  'more-contrast': 'more contrast',
}

const pictures = () => readdirSync(FOLDER).filter((name) => /\.(webp|png)$/.test(name))

/** Names of the test files that take screenshots. */
function files() {
  const filesOption = process.argv.find((word) => word.startsWith('--files='))
  if (filesOption) return filesOption.slice('--files='.length).split(',')
  rmSync(FOLDER, { recursive: true, force: true })
  return readdirSync(join(ROOT, 'tests/browser'), { recursive: true })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => path.replace('.spec.ts', ''))
}

/** Runs test files. Returns true if all tests passed. */
function runTests(names) {
  if (names.length === 0) return true
  const words = ['--suite=browser', '--db=sqlite', `--files=${names.join(',')}`]
  const env = { ...process.env, SCREENSHOTS: FOLDER, SCREENSHOTS_AS: 'webp' }
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/test.mjs'), ...words], {
    stdio: 'inherit',
    env,
  })
  return status === 0
}

/** Splits a file name into subject and display mode. */
function parts(file) {
  const name = file.replace(/\.\w+$/, '')
  const mode = Object.keys(DISPLAY_MODES)
    .sort((a, b) => b.length - a.length)
    .find((one) => name.endsWith(`-${one}`))
  return mode ? { subject: name.slice(0, -mode.length - 1), mode } : { subject: name, mode: '' }
}

/** Writes the page that lists all screenshots. */
function index() {
  const subjects = new Map()
  for (const file of pictures().sort()) {
    const { subject, mode } = parts(file)
    const links = subjects.get(subject) ?? []
    links.push(`[${DISPLAY_MODES[mode] ?? 'picture'}](${file})`)
    subjects.set(subject, links)
  }
  const rows = (wanted) =>
    [...subjects]
      .filter(([subject]) => subject.startsWith('every-') === wanted)
      .map(([subject, links]) => `| ${subject.replace(/^every-/, '')} | ${links.join(', ')} |`)
      .join('\n')
  return `# Screenshots of the web interface

\`npm run screenshots\` generates this list.

## Every page

The name is the path of the page.

| Page | Screenshots |
| - | - |
${rows(true)}

## States and tasks

Empty lists, refused forms, denied actions, long texts, and the steps of tasks.

| Subject | Screenshots |
| - | - |
${rows(false)}
`
}

const names = files()
mkdirSync(FOLDER, { recursive: true })
const results = [
  runTests(names.filter((name) => name === ISOLATED)),
  runTests(names.filter((name) => name !== ISOLATED)),
]
writeFileSync(join(FOLDER, 'README.md'), await format(index(), { parser: 'markdown' }))
const bytes = pictures().reduce((sum, name) => sum + statSync(join(FOLDER, name)).size, 0)
console.log(`${pictures().length} screenshots of ${(bytes / 1e6).toFixed(1)} MB in tmp/screenshots`)
if (process.argv.includes('--docs')) {
  const taken = pictures()
  for (const [name, image] of Object.entries(IN_DOCS)) {
    if (!taken.includes(`${name}.webp`)) continue
    copyFileSync(join(FOLDER, `${name}.webp`), join(ROOT, 'docs/images', `${image}.webp`))
  }
}
process.exitCode = results.every(Boolean) ? 0 : 1
