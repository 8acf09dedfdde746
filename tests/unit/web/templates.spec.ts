import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from '@japa/runner'
import { attributesText } from '#web/page/attributes'
import { TEXT_FIELDS as WRITTEN } from '#web/forms/submitted_text'

const ROOT = join(import.meta.dirname, '../../../resources')

/** Every template, by its path below `resources/views/`. */
const TEMPLATES = readdirSync(join(ROOT, 'views'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.edge'))
  .map((path) => ({ path, text: readFileSync(join(ROOT, 'views', path), 'utf8') }))

/** Every key of the English catalogue. */
const KEYS = new Set(
  readdirSync(join(ROOT, 'lang/en')).flatMap((file) => {
    const texts = JSON.parse(readFileSync(join(ROOT, 'lang/en', file), 'utf8')) as object
    return Object.keys(texts).map((key) => `${basename(file, '.json')}.${key}`)
  })
)

/** Sources that contain keys of the catalogue. */
const CODE = ['app/web', 'app/controllers/web'].flatMap((folder) => {
  const folderPath = join(ROOT, '..', folder)
  return readdirSync(folderPath, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(folderPath, file), 'utf8'))
})

/** Fields that a page never shows again. */
const SECRETS = ['code', 'current', 'kept', 'password', 'privatekey', 'repeated', 'token', 'wanted']
/** Fields with a number, a time, a file or one word, which users can quickly fill in again. */
const FEW_LETTERS = [
  'apply_at',
  'confirm',
  'expires_at',
  'file',
  'idle_days',
  'priority',
  'rows_per_page',
  'ttl',
  'who',
]

/** Components that the style guide does not show separately: parts of every page, or a whole plan. */
const WHOLE_PAGES = [
  'account',
  'layout.groupPage',
  'layout.visitor',
  'form.planned',
  'layout.sectionPage',
  'layout.templatePage',
  'layout.userPage',
  'layout.zonePage',
]

/** Returns the name by which templates use a component. */
const componentOf = (path: string) =>
  path
    .replace(/^components\/(.*)\.edge$/, '$1')
    .replaceAll('/', '.')
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the names of possible components in a template. */
const usedIn = (text: string) => [...text.matchAll(/@!?([\w.]+)\(/g)].map(([, name]) => name)

test.group('Templates of the web interface', () => {
  test('the style guide shows each component', ({ assert }) => {
    const components = new Map(
      TEMPLATES.filter(({ path }) => path.startsWith('components/')).map(({ path, text }) => [
        componentOf(path),
        text,
      ])
    )
    const guide = TEMPLATES.find(({ path }) => path === 'pages/styleguide.edge')
    const shown = new Set(usedIn(guide?.text ?? ''))
    // The components inside a shown component are shown with it.
    for (const name of shown) {
      for (const part of usedIn(components.get(name) ?? '')) shown.add(part)
    }
    const missing = [...components.keys()].filter((name) => !shown.has(name))
    assert.sameMembers(missing, WHOLE_PAGES)
  })

  test('the accessible name of a control contains its text (WCAG 2.5.3)', ({ assert }) => {
    const pairs = TEMPLATES.flatMap(({ text }) =>
      [...text.matchAll(/(?:open|text): t\('([^']+)'[^\n]*?label: t\('([^']+)'/g)].map(
        ([, shown, name]) => [shown, name] as const
      )
    )
    assert.isAbove(pairs.length, 2)
    for (const language of readdirSync(join(ROOT, 'lang'))) {
      const textOf = (key: string) => {
        const [file, name] = key.split('.')
        const path = join(ROOT, 'lang', language, `${file}.json`)
        return (JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>)[
          name
        ].toLowerCase()
      }
      for (const [shown, name] of pairs) {
        assert.include(textOf(name), textOf(shown).replace(/…$/, ''), `${language} ${name}`)
      }
    }
  })

  test('only slots and attributes are written without escaping', ({ assert }) => {
    const raw = TEMPLATES.flatMap(({ path, text }) =>
      [...text.matchAll(/\{\{\{(.*?)\}\}\}/gs)]
        .map(([, code]) => code.trim())
        .filter((code) => !/^await \$slots\.\w+\(\)$|^([^?]+ \? )?attributes\(/.test(code))
        .map((code) => `${path}: ${code}`)
    )
    // Documentation of this release, rendered without HTML of its source.
    assert.deepEqual(raw, ['pages/help/show.edge: page.html'])
    const unescaped = TEMPLATES.filter(({ text }) => /toAttrs|html\.(attrs|safe)/.test(text))
    assert.deepEqual(
      unescaped.map(({ path }) => path),
      []
    )
  })

  test('no inline code violates the content security policy', ({ assert }) => {
    const inline = TEMPLATES.filter(({ text }) =>
      /\sstyle=|\son[a-z]+=|<style|<script(?![^>]*\bnonce=)|javascript:/i.test(text)
    )
    assert.deepEqual(
      inline.map(({ path }) => path),
      []
    )
  })

  test('every form that changes data has its token', ({ assert }) => {
    const bare = TEMPLATES.filter(
      ({ text }) =>
        (text.match(/<form[^>]*method="post"/g) ?? []).length !==
        (text.match(/\{\{ csrfField\(\) \}\}/g) ?? []).length
    )
    assert.deepEqual(
      bare.map(({ path }) => path),
      []
    )
  })

  test('a lost form shows its values again, except secrets and short fields', ({ assert }) => {
    const sent = TEMPLATES.map(({ text }) =>
      text.replace(/<form[^>]*method="get".*?<\/form>/gs, '')
    )
    const named = sent.flatMap((text) =>
      [...text.matchAll(/field\.(?:text|area|suggested)\(\{ *name: '(\w+)'/g)].map(
        ([, name]) => name
      )
    )
    assert.isAbove(named.length, 50)
    const lost = [...new Set(named)].filter((name) => !WRITTEN.includes(name))
    assert.sameMembers(lost, [...SECRETS, ...FEW_LETTERS])
  })

  test('every text is in the catalogue', ({ assert }) => {
    const named = [...TEMPLATES.map(({ text }) => text), ...CODE].flatMap((text) => [
      ...[...text.matchAll(/\bt\('([a-z_]+\.[a-z_]+)'(?! \+)/g)].map(([, key]) => key),
    ])
    assert.isAbove(named.length, 50)
    assert.deepEqual(
      [...new Set(named)].filter((key) => !KEYS.has(key) && !key.endsWith('_')),
      []
    )
  })

  test('attributes are escaped, and undefined ones omitted', ({ assert }) => {
    const text = attributesText({ value: `"><b>'&`, class: ['one', '', 'two'], hidden: true })
    assert.equal(text, 'value="&quot;&gt;&lt;b&gt;&#x27;&amp;" class="one two" hidden')
    assert.equal(attributesText({ 'a': null, 'b': undefined, 'c': false, 'x="': 'y' }), '')
    assert.equal(attributesText({ a: 1, b: 2 }, ['a']), 'b="2"')
  })
})
