import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from '@japa/runner'
import { HELP_SECTIONS } from '#web/help/help_links'
import { anchorOf } from '#web/help/markdown'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PAGES = globSync(['*.md', 'docs/**/*.md', 'app/**/*.md'], { cwd: ROOT })

/** Paths that only exist after a build or a test run, or that are examples. */
const NOT_IN_THE_TREE = /^(build|tmp)\/|^bin\/server\.js$/

/** The text of a heading, without markup. */
function textOf(heading: string): string {
  return heading.replaceAll(/[`*]/g, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
}

function anchorsOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```.*?^```/gms, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(textOf(heading.trim())))
}

test.group('Documentation', () => {
  test('the repository has documentation pages', ({ assert }) => {
    assert.isAbove(PAGES.length, 20)
  })

  test('{$self}: each link leads to a file, and each anchor to a heading')
    .with(PAGES)
    .run(({ assert }, page) => {
      const text = readFileSync(join(ROOT, page), 'utf8')
      for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
        const [path, anchor] = target.split('#')
        const file = path === '' ? page : join(dirname(page), path)
        assert.isTrue(existsSync(join(ROOT, file)), target)
        if (anchor !== undefined) assert.include(anchorsOf(file), anchor, target)
      }
    })

  test('{$self}: the section that pages of the web interface lead to')
    .with(HELP_SECTIONS)
    .run(({ assert }, section) => {
      const [path, anchor] = section.split('#')
      const file = `docs/${path}.md`
      assert.isTrue(existsSync(join(ROOT, file)), file)
      if (anchor !== undefined) assert.include(anchorsOf(file), anchor)
    })

  test('{$self}: each path of the repository exists')
    .with(PAGES)
    .run(({ assert }, page) => {
      const text = readFileSync(join(ROOT, page), 'utf8')
      const folders =
        'app|bench|bin|commands|config|database|docs|providers|resources|scripts|start|tests'
      for (const [, path] of text.matchAll(
        new RegExp(`\`((?:${folders})/[A-Za-z0-9_./-]+)\``, 'g')
      )) {
        if (NOT_IN_THE_TREE.test(path)) continue
        assert.isTrue(existsSync(join(ROOT, path)), path)
      }
    })
})
