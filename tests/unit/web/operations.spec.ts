import type { I18n } from '@adonisjs/i18n'
import { test } from '@japa/runner'
import { eventLine } from '#web/admin/audit_view'
import { cronWords } from '#web/format/cron'
import { actionViews } from '#web/admin/request_view'
import type { auditItem } from '#transformers/audit'
import type { requestItem } from '#transformers/change_request'

/** Returns the key of each text with its parameters. */
const i18n = {
  locale: 'en',
  t: (key: string, data: object) => `${key} ${Object.values(data).join(' ')}`,
} as unknown as I18n

test.group('Cron expressions as text', () => {
  for (const [cron, words] of [
    ['*/10 * * * *', 'jobs.every_minutes 10'],
    ['* * * * *', 'jobs.every_minutes 1'],
    ['7 * * * *', 'jobs.every_hour 07'],
    ['5 */6 * * *', 'jobs.every_hours 6 05'],
    ['41 3 * * *', 'jobs.every_day 03:41'],
    ['0 4 * * 0', 'jobs.every_week Sunday 04:00'],
    ['0 4 * * 7', 'jobs.every_week Sunday 04:00'],
    ['0 4 1 * *', 'jobs.every_month 1 04:00'],
    ['0 4 1 2 *', null],
    ['0,30 * * * *', null],
    ['0 4 1 * 1', null],
    ['0 4-6 * * *', null],
    ['@daily', null],
  ] as const) {
    test(cron, ({ assert }) => {
      assert.equal(cronWords(i18n, cron), words)
    })
  }
})

const event = {
  id: 7,
  time: '2026-01-01T00:00:00.000Z',
  actor: { user_id: 1, username: '=1+1', api_key_id: null, address: null, channel: 'web' },
  action: 'group.created',
  object: { kind: 'group', id: 2, name: 'a "quoted", name\nof lines' },
  outcome: 'success',
  detail: { text: '@x' },
  position: null,
  hash: null,
} as unknown as ReturnType<typeof auditItem>

test.group('Events as rows of a CSV table', () => {
  test('cells are quoted, and none is a formula', ({ assert }) => {
    assert.equal(
      eventLine(event),
      `7,,2026-01-01T00:00:00.000Z,'=1+1,,,web,group.created,group,2,"a ""quoted"", name\nof lines",success,"{""text"":""@x""}"\r\n`
    )
  })
})

test.group('Actions of a request as lines', () => {
  const at = { name: 'www.example.com', type: 'A' }
  const record = { ...at, ttl: 60, prio: 0, disabled: 0 }
  const [one, two, three] = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
  const value = (content: string) => ({ content, priority: 0, disabled: false })
  const line = (sign: string, content: string, ttl: string = '  60') =>
    `${sign}${at.name}${ttl}  A  ${content}`
  for (const [what, action, lines] of [
    ['add', { op: 'add', after: { ...record, content: one } }, [line('+', one)]],
    ['delete', { op: 'delete', before: { ...record, content: one } }, [line('-', one)]],
    [
      'edit',
      { op: 'edit', before: { ...record, content: one }, after: { ...record, content: two } },
      [line('-', one), line('+', two)],
    ],
    [
      'set',
      {
        op: 'set',
        ...at,
        ttl: 60,
        records: [value(two), value(three)],
        before: { ttl: 60, records: [value(one), value(two)] },
      },
      [line('-', one), line('+', three), line(' ', two)],
    ],
    ['remove', { op: 'remove', ...at, records: [value(one)] }, [line('-', one, '')]],
    ['clear', { op: 'clear', ...at, before: { ttl: 60, records: [value(one)] } }, [line('-', one)]],
    ['zone_delete', { op: 'zone_delete' }, []],
  ] as const) {
    test(what, ({ assert }) => {
      const item = { actions: [action] } as unknown as ReturnType<typeof requestItem>
      const [view] = actionViews(item, [0])
      assert.deepEqual(
        view.lines.map(({ sign, text }) => `${sign}${text}`),
        [...lines]
      )
      assert.isTrue(view.isStale)
      assert.deepEqual(view.place, what === 'zone_delete' ? null : at)
    })
  }
})
