import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser'
import { test } from '@japa/runner'
import { durationText } from '#web/format/durations'

const ROOT = join(import.meta.dirname, '../../../resources/lang')
const OTHERS = readdirSync(ROOT).filter((language) => language !== 'en')
/**
 * Allowed missing texts of a language in percent. English grows with every page. Missing texts are shown in English, and
 * `npm run translations` lists them.
 */
const MAX_MISSING = 75

/** Returns the texts of a language by key. */
function textsOf(language: string): Map<string, string> {
  const files = readdirSync(join(ROOT, language))
  return new Map(
    files.flatMap((file) => {
      const texts = JSON.parse(readFileSync(join(ROOT, language, file), 'utf8')) as object
      return Object.entries(texts).map(([key, text]): [string, string] => [
        `${basename(file, '.json')}.${key}`,
        text as string,
      ])
    })
  )
}

/** Returns the placeholders of a text, and the categories of its plurals. */
function partsOf(text: string): { names: Set<string>; plurals: string[][] } {
  const names = new Set<string>()
  const plurals: string[][] = []
  const walk = (elements: MessageFormatElement[]) => {
    for (const element of elements) {
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        names.add(element.value)
        const options = Object.keys(element.options)
        if (element.type === TYPE.plural) plurals.push(options.filter((it) => !it.startsWith('=')))
        for (const option of Object.values(element.options)) walk(option.value)
      } else if (element.type !== TYPE.literal && element.type !== TYPE.pound) {
        names.add('value' in element ? element.value : '')
      }
    }
  }
  walk(parse(text))
  return { names, plurals }
}

/** Names of objects at the start of a form. They are stored. */
const STORED = ['templates.copy_of', 'zone_templates.copy_of']
const ISOLATED = /[\u2066\u2068][^\u2069]*\u2069/g
/** A DNS name, a setting, other code, or a placeholder: text that bidirectional rendering would reorder. */
const OF_CODE =
  /[A-Za-z\d][._:/=@+*%-]+[A-Za-z\d]|(?<![\w.])[_*@.<-][A-Za-z\d]|[A-Za-z\d*][-=](?![A-Za-z\d])|\{[A-Za-z_\d]+\}/g

/** Returns the parts of a right-to-left text that are not isolated (U+2066 or U+2068 to U+2069) and would be reordered. */
function unisolated(text: string): string[] {
  return /\p{Script=Arabic}/u.test(text)
    ? (text.replaceAll(ISOLATED, ' ').match(OF_CODE) ?? [])
    : []
}

const english = textsOf('en')

test.group('Languages of the web interface', () => {
  test('another left-to-right language and a right-to-left language exist', ({ assert }) => {
    assert.includeMembers(OTHERS, ['ar', 'de'])
  })

  for (const language of OTHERS) {
    const texts = textsOf(language)

    test(`${language}: every text has an English one, and few are missing`, ({ assert }) => {
      assert.deepEqual(
        [...texts.keys()].filter((key) => !english.has(key)),
        []
      )
      const missing = [...english.keys()].filter((key) => !texts.has(key))
      assert.isAtMost((missing.length / english.size) * 100, MAX_MISSING, missing.join(', '))
    })

    test(`${language}: each text has the placeholders of the English one`, ({ assert }) => {
      for (const [key, text] of texts) {
        const [own, model] = [partsOf(text).names, partsOf(english.get(key) ?? '').names]
        assert.sameMembers([...own], [...model], key)
      }
    })

    test(`${language}: plurals have every form of the language`, ({ assert }) => {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      for (const [key, text] of texts) {
        for (const plural of partsOf(text).plurals) {
          assert.sameMembers(plural, forms, key)
        }
      }
    })
  }

  test('right-to-left texts isolate names, code and placeholders', ({ assert }) => {
    const found = [...textsOf('ar')]
      .filter(([key]) => !STORED.includes(key) && !key.startsWith('palette.also_'))
      .map(([key, text]) => `${key}: ${unisolated(text).join(' ')}`)
      .filter((line) => !line.endsWith(': '))
    assert.deepEqual(found, [])
    assert.deepEqual(unisolated('سجل _acme-challenge و{name}'), ['_a', 'e-c', '{name}'])
    assert.deepEqual(unisolated('سجل \u2066_acme-challenge\u2069 و\u2068{name}\u2069'), [])
  })

  test('durations have the units of the language', ({ assert }) => {
    assert.equal(durationText('en', 5400), '1 hr, 30 min')
    assert.equal(durationText('en', 0), '0 sec')
    assert.equal(durationText('de', 3600), '1 Std.')
    assert.match(durationText('ar', 3600), /^\p{Script=Arabic}|1 \p{Script=Arabic}/u)
  })
})
