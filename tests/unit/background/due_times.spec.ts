import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import fc from 'fast-check'
import { parseCron, type CronFields } from '#background/scheduler/cron'
import { isTimezone, nextDue } from '#background/scheduler/due_times'

const BERLIN = 'Europe/Berlin'

function cron(text: string): CronFields {
  const fields = parseCron(text)
  if (fields === null) throw new Error(`No cron expression: ${text}`)
  return fields
}

/** Returns the next due times after a time, as text in UTC. */
function dues(text: string, timezone: string, after: string, count: number): string[] {
  const found: string[] = []
  let last = Date.parse(after)
  while (found.length < count) {
    last = nextDue({ fields: cron(text), timezone }, last) ?? Number.NaN
    found.push(new Date(last).toISOString().replace('.000Z', 'Z'))
  }
  return found
}

const TABLE: [about: string, expression: string, zone: string, after: string, due: string[]][] = [
  [
    'every five minutes',
    '*/5 * * * *',
    'UTC',
    '2026-01-31T23:53:10Z',
    ['2026-01-31T23:55:00Z', '2026-02-01T00:00:00Z'],
  ],
  [
    'the moment itself is over',
    '0 12 * * *',
    'UTC',
    '2026-05-01T12:00:00Z',
    ['2026-05-02T12:00:00Z'],
  ],
  [
    'with seconds',
    '*/20 * * * * *',
    'UTC',
    '2026-05-01T12:00:39.999Z',
    ['2026-05-01T12:00:40Z', '2026-05-01T12:01:00Z'],
  ],
  [
    'weekdays by name, 7 is Sunday',
    '30 6 * * sat,7',
    'UTC',
    '2026-11-22T07:00:00Z',
    ['2026-11-28T06:30:00Z', '2026-11-29T06:30:00Z'],
  ],
  ['a leap day', '0 0 29 2 *', 'UTC', '2026-01-01T00:00:00Z', ['2028-02-29T00:00:00Z']],
  ['a leap day on a Monday', '0 0 29 2 1', 'UTC', '2026-01-01T00:00:00Z', ['2044-02-29T00:00:00Z']],
  [
    'a time of day in another zone',
    '0 3 * * *',
    'Asia/Kolkata',
    '2026-01-01T00:00:00Z',
    ['2026-01-01T21:30:00Z'],
  ],
  // 2026-03-29: 02:00 becomes 03:00 at 01:00 UTC.
  [
    'an hour that does not exist: at the step, once',
    '30 2 * * *',
    BERLIN,
    '2026-03-28T00:00:00Z',
    ['2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
  ],
  [
    'each quarter of an hour over the step forward',
    '*/15 * * * *',
    BERLIN,
    '2026-03-29T00:40:00Z',
    ['2026-03-29T00:45:00Z', '2026-03-29T01:00:00Z', '2026-03-29T01:15:00Z'],
  ],
  [
    'from within the step forward',
    '30 2 * * *',
    BERLIN,
    '2026-03-29T01:00:00Z',
    ['2026-03-30T00:30:00Z'],
  ],
  [
    'two times in the hour that does not exist are one',
    '10,50 2 * * *',
    BERLIN,
    '2026-03-28T20:00:00Z',
    ['2026-03-29T01:00:00Z', '2026-03-30T00:10:00Z'],
  ],
  // 2026-10-25: 03:00 becomes 02:00 at 01:00 UTC.
  [
    'an hour that comes twice: in the first one only',
    '30 2 * * *',
    BERLIN,
    '2026-10-24T12:00:00Z',
    ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
  ],
  [
    'each half hour in both of the hours',
    '*/30 * * * *',
    BERLIN,
    '2026-10-25T00:10:00Z',
    [
      '2026-10-25T00:30:00Z',
      '2026-10-25T01:00:00Z',
      '2026-10-25T01:30:00Z',
      '2026-10-25T02:00:00Z',
    ],
  ],
  [
    'the hour after the one that comes twice',
    '0 3 * * *',
    BERLIN,
    '2026-10-25T00:30:00Z',
    ['2026-10-25T02:00:00Z'],
  ],
  [
    'from within the second of two hours',
    '30 2 * * *',
    BERLIN,
    '2026-10-25T01:10:00Z',
    ['2026-10-26T01:30:00Z'],
  ],
  [
    'a step of half an hour (Lord Howe, back)',
    '45 1 * * *',
    'Australia/Lord_Howe',
    '2026-04-04T12:00:00Z',
    ['2026-04-04T14:45:00Z', '2026-04-05T15:15:00Z'],
  ],
  [
    'a day that never was (Samoa, 2011-12-30)',
    '0 12 30 12 *',
    'Pacific/Apia',
    '2011-12-01T00:00:00Z',
    ['2011-12-30T10:00:00Z', '2012-12-29T22:00:00Z'],
  ],
]

test.group('Due times', () => {
  for (const [about, expression, zone, after, wanted] of TABLE) {
    test(`${about}: ${expression} (${zone})`, ({ assert }) => {
      assert.deepEqual(dues(expression, zone, after, wanted.length), wanted)
    })
  }

  test('an expression without due times returns null', ({ assert }) => {
    const fields = { ...cron('0 0 1 1 *'), days: new Set([31]), months: new Set([2]) }
    assert.isNull(nextDue({ fields, timezone: 'UTC' }, 0))
  })

  test('a daily job is due once on each day, across both clock changes of the year', ({
    assert,
  }) => {
    for (const time of ['0 2', '30 2', '59 2', '0 3', '0 1', '59 1']) {
      const found = dues(`${time} * * *`, BERLIN, '2026-01-01T12:00:00Z', 365)
      const days = found.map((due) => DateTime.fromISO(due, { zone: BERLIN }).toISODate())
      assert.lengthOf(new Set(days), 365, time)
    }
  })

  test('an hourly job has no longer pause over a year', ({ assert }) => {
    for (const zone of [BERLIN, 'America/New_York', 'Australia/Lord_Howe']) {
      const found = dues('*/30 * * * *', zone, '2026-01-01T00:00:00Z', 17_520).map((due) =>
        Date.parse(due)
      )
      const pauses = new Set(found.slice(1).map((due, index) => due - found[index]))
      assert.deepEqual([...pauses], [1_800_000], zone)
    }
  })
})

const ZONES = ['UTC', BERLIN, 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']
const EXPRESSIONS = [
  '* * * * *',
  '*/7 * * * *',
  '*/20 1-3 * * *',
  '30 2 * * *',
  '0 */6 * * 1-5',
  '15 2 25-31 3,10 *',
]

test.group('Due times, properties', () => {
  const schedule = fc.record({
    fields: fc.constantFrom(...EXPRESSIONS).map(cron),
    timezone: fc.constantFrom(...ZONES),
  })
  /** Any time, and many times around the clock changes of 2026. */
  const moment = fc.oneof(
    fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-12-31') }),
    fc.integer({ min: Date.parse('2026-03-28'), max: Date.parse('2026-04-06') }),
    fc.integer({ min: Date.parse('2026-10-24'), max: Date.parse('2026-11-02') })
  )

  test('the next due time is later, and no due time is between', () => {
    fc.assert(
      fc.property(schedule, moment, fc.double({ min: 0, max: 1, noNaN: true }), (of, at, part) => {
        const due = nextDue(of, at)!
        const between = at + Math.floor((due - at - 1) * part)
        return due > at && nextDue(of, between) === due
      })
    )
  })

  test('the local time matches the fields, or was just skipped by a clock change', () => {
    fc.assert(
      fc.property(schedule, moment, (of, at) => {
        const due = nextDue(of, at)!
        const clock = DateTime.fromMillis(due, { zone: of.timezone })
        const shows =
          of.fields.hours.includes(clock.hour) && of.fields.minutes.includes(clock.minute)
        return shows || clock.offset > DateTime.fromMillis(due - 1, { zone: of.timezone }).offset
      })
    )
  })
})

test.group('Cron expressions', () => {
  test('five or six fields, names, lists, ranges, steps and nicknames are accepted', ({
    assert,
  }) => {
    for (const text of ['* * * * *', '1,2 3-4 */5 jan mon', '@hourly', '10 0 0 1 1 0']) {
      assert.isNotNull(parseCron(text), text)
    }
  })

  test('other expressions are refused', ({ assert }) => {
    for (const text of ['', '* * * *', '61 * * * *', '0 0 30 2 *', '0 0 L * *', '0 0 * * 1#2']) {
      assert.isNull(parseCron(text), text)
    }
  })

  test('time zones are IANA names', ({ assert }) => {
    assert.isTrue(isTimezone('Europe/Berlin'))
    assert.isTrue(isTimezone('UTC'))
    assert.isFalse(isTimezone('Europe/Nowhere'))
    assert.isFalse(isTimezone(''))
  })
})
