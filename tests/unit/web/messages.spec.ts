import { readdirSync, readFileSync } from 'node:fs'
import { formatters } from '@adonisjs/i18n'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { Messages } from '#web/page/messages'

const LANG = app.languageFilesPath()

/** Returns every message of a language. */
function messagesOf(locale: string): string[] {
  return readdirSync(`${LANG}/${locale}`).flatMap((file) =>
    textsIn(JSON.parse(readFileSync(`${LANG}/${locale}/${file}`, 'utf8')))
  )
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return Object.values(value as Record<string, unknown>).flatMap(textsIn)
}

/** Returns values for every placeholder of a message: texts, unless the placeholder requires a number. */
function valuesFor(message: string, number: number): Record<string, unknown> {
  const placeholders = message.matchAll(/\{\s*(\w+)\s*(?:,\s*(\w+))?/g)
  return Object.fromEntries(
    [...placeholders].map(([, name, kind]) => [
      name,
      kind && kind !== 'select' ? number : `<${name}>`,
    ])
  )
}

test.group('Messages', () => {
  test("each message of each language equals the output of the framework's formatter", async ({
    assert,
  }) => {
    const factory = await formatters.icu().resolver(app)
    const theirs = factory({} as never)
    const ours = new Messages()
    for (const locale of readdirSync(LANG)) {
      const messages = messagesOf(locale)
      assert.isAbove(messages.length, 10)
      for (const message of messages) {
        for (const number of [0, 1, 2, 5_000, 1]) {
          const data = valuesFor(message, number)
          assert.equal(ours.format(message, locale, data), theirs.format(message, locale, data))
        }
      }
    }
  })

  test('a message differs between languages', ({ assert }) => {
    const messages = new Messages()
    const count = '{n, number}'
    assert.equal(messages.format(count, 'en', { n: 1234567 }), '1,234,567')
    assert.equal(messages.format(count, 'de', { n: 1234567 }), '1.234.567')
    assert.equal(messages.format(count, 'en', { n: 7 }), '7')
  })

  test('quoted braces, empty messages and missing values are handled', ({ assert }) => {
    const messages = new Messages()
    assert.equal(messages.format(`a '{'b'}' it''s`, 'en'), `a {b} it's`)
    assert.equal(messages.format('', 'en'), '')
    assert.throws(() => messages.format('Zone {name}', 'en'), /name/)
  })
})
