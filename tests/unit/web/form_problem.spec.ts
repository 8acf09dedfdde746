import type { I18n } from '@adonisjs/i18n'
import { test } from '@japa/runner'
import {
  BackendUnavailable,
  CapabilityMissing,
  WriteRefused,
  WriteTooLarge,
  WriteUnconfirmed,
} from '#backends/contract/errors'
import { InvalidDns } from '#dns/errors'
import { conflict, forbidden, invalid, notFound, Refusal } from '#exceptions/refusal'
import { demandTag, stateTag } from '#exceptions/state_tag'
import { problemIn } from '#web/forms/errors'
import { versionForRedisplay } from '#web/forms/version'
import { localized } from '#web/forms/localized_error'

/** Returns the key of each text. */
const i18n = { t: (key: string) => key } as I18n

/** Returns the status of the form for this error, and whether its text is marked as English. */
const refused = (error: unknown, moved?: string) => {
  const problem = problemIn(i18n, error, moved)
  return problem && [problem.status, problem.lang === 'en']
}

test.group('Refused forms', () => {
  test('the status is that of the refusal, never 500', ({ assert }) => {
    const cases: [unknown, [number, boolean]][] = [
      [invalid('x'), [422, true]],
      [localized('x'), [422, false]],
      [new InvalidDns('name', '..', 'a name'), [422, true]],
      [new WriteRefused('x'), [422, true]],
      [new WriteTooLarge('x'), [413, true]],
      [forbidden('x'), [403, true]],
      [notFound('x'), [404, true]],
      [conflict('x'), [409, true]],
      [new Refusal(429, 'x'), [429, true]],
      [new Refusal(501, 'x'), [409, true]],
      [new CapabilityMissing('x'), [409, true]],
      [new WriteUnconfirmed('x'), [409, true]],
      [new BackendUnavailable('x'), [409, false]],
    ]
    for (const [error, expected] of cases) assert.deepEqual(refused(error), expected)
    assert.isNull(refused(new Error('a fault')))
  })

  test('a concurrent change is shown in the language of the page', ({ assert }) => {
    const [old, now] = [stateTag(['was']), stateTag(['is'])]
    assert.notEqual(old, now)
    assert.doesNotThrow(() => demandTag(now, now))
    for (const tag of [old, '']) {
      try {
        demandTag(now, tag)
        assert.fail('It goes on')
      } catch (error) {
        assert.deepEqual(problemIn(i18n, error, 'moved'), { status: 412, message: 'moved' })
        assert.deepEqual(refused(error), [412, true])
      }
    }
  })

  test('only an explicitly reported change may be replaced', ({ assert }) => {
    const problem = (status: number) => ({ status, message: 'x' })
    assert.equal(versionForRedisplay('now', problem(412), 'sent'), 'now')
    assert.equal(versionForRedisplay('now', problem(422), 'sent'), 'sent')
    assert.equal(versionForRedisplay('now', null, 'sent'), 'sent')
    assert.equal(versionForRedisplay('now', null), 'now')
  })
})
