import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './shell.mjs'

/** Folder below `tests/` of each suite. Suites of one folder run the same files in different modes. */
export const SUITE_FOLDERS = {
  'functional': 'functional',
  'functional-api': 'functional',
  'browser': 'browser',
  'unit': 'unit',
  'backends': 'backends',
  'clients': 'clients',
  'faults': 'faults',
  'faults-api': 'faults_api',
}

/**
 * Tags of the first line of a test file, such as `// @databases @process`. A file without tags runs once, on SQLite, in every
 * run. docs/testing.md explains each tag.
 */
export const TAGS = ['@databases', '@api-backend', '@api-backend(all)', '@process', '@slow']

const HEAD = /^\/\/ (@\S+(?: @\S+)*)$/

/** Tags in the first line of a test file. Throws an `OperatorError` for an unknown tag. */
export function tagsOf(path, text) {
  const [, words = ''] = HEAD.exec(text.slice(0, text.indexOf('\n'))) ?? []
  const tags = words.split(' ').filter(Boolean)
  const unknown = tags.find((tag) => !TAGS.includes(tag))
  if (unknown) {
    throw new OperatorError(`${path}: unknown tag '${unknown}', allowed are ${TAGS.join(', ')}`)
  }
  return tags
}

/** All test files with `folder` below `tests/`, `path` from the root of the checkout, and tags. */
export function readTestFiles(root) {
  const folders = [...new Set(Object.values(SUITE_FOLDERS))]
  return folders.flatMap((folder) =>
    readdirSync(join(root, 'tests', folder), { recursive: true })
      .filter((name) => name.endsWith('.spec.ts'))
      .sort()
      .map((name) => {
        const path = `tests/${folder}/${name}`
        return { folder, path, tags: tagsOf(path, readFileSync(join(root, path), 'utf8')) }
      })
  )
}

/**
 * Whether `--files` selects a file. A filter is the end of the path without `.spec.ts`, in whole segments: `zones`,
 * `dns/names`. `*` matches characters of a segment, `**` matches segments: `web_*`, `unit/dns/**`.
 */
export function isNamed(path, filters) {
  const name = `/${path.replace(/\.spec\.ts$/, '')}`
  return filters.some((filter) => {
    const pattern = filter
      .replace(/\.spec\.ts$/, '')
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+/g, (stars) => (stars.length > 1 ? '.*' : '[^/]*'))
    return new RegExp(`/${pattern}$`).test(name)
  })
}
