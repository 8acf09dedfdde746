/*
| Takes screenshots of every page into tmp/screenshots/: light, dark, on a phone and from right to left. The browser tests
| take them. The tests of every page run first, in an installation without other data; the other tests follow.
|
|   npm run screenshots                        all screenshots; the folder is emptied first
|   npm run screenshots -- --files=every_page  only those of some test files
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
/** The screenshots that README.md and docs/ show, and their names in docs/images/. */
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
/** Needs an installation of its own: its lists show all that there is. */
const ALONE = 'every_page'
/** How a page is looked at, as the names of pictures end. */
const LOOKS = {
  'light': 'light',
  'dark': 'dark',
  'phone': 'phone',
  'arabic': 'right to left',
  'odd': 'phone, dark, right to left',
  'dark-phone': 'phone, dark',
  'more-contrast': 'more contrast',
}

const pictures = () => readdirSync(FOLDER).filter((name) => /\.(webp|png)$/.test(name))

/** Names of the files of tests that take pictures. */
function files() {
  const asked = process.argv.find((word) => word.startsWith('--files='))
  if (asked) return asked.slice('--files='.length).split(',')
  rmSync(FOLDER, { recursive: true, force: true })
  return readdirSync(join(ROOT, 'tests/browser'), { recursive: true })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => path.replace('.spec.ts', ''))
}

/** Runs some files of tests; true when nothing failed. */
function take(names) {
  if (names.length === 0) return true
  const words = ['--suite=browser', '--db=sqlite', `--files=${names.join(',')}`]
  const env = { ...process.env, SCREENSHOTS: FOLDER, SCREENSHOTS_AS: 'webp' }
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/test.mjs'), ...words], {
    stdio: 'inherit',
    env,
  })
  return status === 0
}

/** What is in a picture, and how it is looked at. */
function parts(file) {
  const name = file.replace(/\.\w+$/, '')
  const look = Object.keys(LOOKS)
    .sort((a, b) => b.length - a.length)
    .find((one) => name.endsWith(`-${one}`))
  return look ? { subject: name.slice(0, -look.length - 1), look } : { subject: name, look: '' }
}

/** The page that lists all pictures. */
function index() {
  const subjects = new Map()
  for (const file of pictures().sort()) {
    const { subject, look } = parts(file)
    const links = subjects.get(subject) ?? []
    links.push(`[${LOOKS[look] ?? 'picture'}](${file})`)
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
  take(names.filter((name) => name === ALONE)),
  take(names.filter((name) => name !== ALONE)),
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
