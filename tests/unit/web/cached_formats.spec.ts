import { test } from '@japa/runner'
import { cachedFormats } from '#web/format/formats'
import { durationText } from '#web/format/durations'
import { timestampTexts } from '#web/format/dates'

/** Counts how many `Intl` formats are created while `work` runs. */
function countCreated(
  name: 'DateTimeFormat' | 'RelativeTimeFormat' | 'DurationFormat',
  work: () => void
) {
  const intl = Intl as unknown as Record<string, new (...terms: unknown[]) => object>
  const real = intl[name]
  let created = 0
  intl[name] = new Proxy(real, {
    construct(target, terms) {
      created++
      return Reflect.construct(target, terms) as object
    },
  })
  try {
    work()
  } finally {
    intl[name] = real
  }
  return created
}

const times = (count: number, work: (n: number) => void) => {
  for (let n = 0; n < count; n++) work(n)
}

test.group('Cached formats', () => {
  test('{0} is created once per language, for any number of rows')
    .with([
      [
        'DateTimeFormat',
        (n: number) => timestampTexts('fr', 'Europe/Paris', new Date(n).toISOString()),
      ],
      ['RelativeTimeFormat', (n: number) => timestampTexts('it', 'UTC', new Date(n).toISOString())],
      ['DurationFormat', (n: number) => durationText('es', n + 1)],
    ] as const)
    .run(({ assert }, [name, show]) => {
      const created = countCreated(name, () => times(200, show))
      assert.isAtMost(created, 1)
    })

  test('other options create another format', ({ assert }) => {
    const format = cachedFormats((locale: string, zone: string) => ({ locale, zone }))
    assert.strictEqual(format('de', 'UTC'), format('de', 'UTC'))
    assert.deepEqual(format('de', 'Asia/Tokyo'), { locale: 'de', zone: 'Asia/Tokyo' })
    assert.deepEqual(format('en', 'UTC'), { locale: 'en', zone: 'UTC' })
  })

  test('the most recently used formats are cached, up to a limit', ({ assert }) => {
    let created = 0
    const format = cachedFormats((name: string) => ({ name, made: ++created }))
    times(1_000, (n) => {
      format('always')
      format(`once ${n}`)
    })
    assert.equal(created, 1_001)
    format('once 0')
    assert.equal(created, 1_002)
  })
})
