import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import type { DnsBackend } from '#backends/contract/backend'
import { remainingPtrWarnings } from '#changes/warnings/remaining_ptr'
import type { RRset } from '#dns/types'

/** A backend that throws on every access. */
const NOBODY = new Proxy({} as DnsBackend, {
  get() {
    throw new Error('The backend was asked')
  },
})

const set = (type: string, ...contents: string[]): RRset => ({
  name: 'a.example.org',
  type,
  ttl: 60,
  records: contents.map((content, id) => ({ id, content, priority: 0, disabled: false })),
})

test.group('PTR records that remain', () => {
  for (const [what, before, after] of [
    ['a new address', null, set('A', '192.0.2.1')],
    ['one more address', set('A', '192.0.2.1'), set('A', '192.0.2.1', '192.0.2.2')],
    ['another TTL', set('A', '192.0.2.1'), { ...set('A', '192.0.2.1'), ttl: 1 }],
    ['the end of a text', set('TXT', '"192.0.2.1"'), null],
    ['what is no address', set('A', 'broken'), null],
    ['101 addresses', set('A', ...Array.from({ length: 101 }, (_, i) => `192.0.2.${i}`)), null],
  ] as [string, RRset | null, RRset | null][]) {
    test(`${what} causes no lookup`, async ({ assert }) => {
      const { name, type } = (before ?? after)!
      const zone = { id: 1, name: 'example.org', metadata: {} }
      const changes = [{ name, type, before, after }]
      const found = await remainingPtrWarnings(NOBODY, maintainer(), [{ ...zone, changes }])
      assert.equal(found.size, 0)
    })
  }

  test('no lookup is made for callers that ignore warnings', async ({ assert }) => {
    const change = { name: 'a.example.org', type: 'A', before: set('A', '192.0.2.1'), after: null }
    const zones = [{ id: 1, name: 'example.org', metadata: {}, changes: [change] }]
    for (const channel of ['dyndns', 'job'] as const) {
      const found = await remainingPtrWarnings(NOBODY, { ...maintainer(), channel }, zones)
      assert.equal(found.size, 0)
    }
    await assert.rejects(
      () => remainingPtrWarnings(NOBODY, maintainer(), zones),
      'The backend was asked'
    )
  })
})
