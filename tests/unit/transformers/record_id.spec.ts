import { test } from '@japa/runner'
import { shownRecordId } from '#transformers/record_id'

/** Id of a backend or of a request, and the id that callers see. */
const TABLE: [id: number | string | null, shown: number | string | null][] = [
  [84, 84],
  ['84', 84],
  ['1', 1],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['084', '084'],
  ['0', '0'],
  ['-5', '-5'],
  ['8.4', '8.4'],
  ['cmVjb3JkOjkwMQ', 'cmVjb3JkOjkwMQ'],
  ['', ''],
  [null, null],
]

test.group('Ids of records', () => {
  for (const [id, shown] of TABLE) {
    test(`${JSON.stringify(id)} is shown as ${JSON.stringify(shown)}`, ({ assert }) => {
      assert.strictEqual(shownRecordId(id), shown)
    })
  }
})
