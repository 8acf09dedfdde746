import { globSync, readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { TASKS } from '#tests/support/browser/tasks'

const ROOT = new URL('../../../', import.meta.url)

/** Returns the titles of the tests of a file as they are in the source. */
function titlesOf(file: string): string[] {
  const [path] = globSync(`tests/browser/*/${file}.spec.ts`, { cwd: ROOT })
  const text = readFileSync(new URL(path, ROOT), 'utf8')
  return [...text.matchAll(/\btest\(\s*(['"`])(.*?)\1/gs)].map(([, , title]) => title)
}

/** Returns the first cells of the table of unsupported features. */
function exceptions(): string[] {
  const page = readFileSync(new URL('docs/reference/compatibility.md', ROOT), 'utf8')
  const [, section] = page.split('## What the web interface does not have')
  return [...section.matchAll(/^\| ([^|-][^|]*?) *\|/gm)].map(([, cell]) => cell).slice(1)
}

test.group('Tasks of the web interface', () => {
  test('each task has a browser test, or an exception in docs/reference/compatibility.md', ({
    assert,
  }) => {
    const known = exceptions()
    for (const { task, shown = [], exception } of TASKS) {
      assert.equal(shown.length === 0, exception !== undefined, task)
      if (exception) assert.include(known, exception, task)
      for (const [file, title] of shown) assert.include(titlesOf(file), title, task)
    }
  })

  test('each exception of the page belongs to a task', ({ assert }) => {
    const named = TASKS.flatMap(({ exception }) => exception ?? [])
    assert.sameMembers(named, exceptions())
  })
})
