import { test } from '@japa/runner'
import { RECOVER_EFFECTS, STORE_EFFECTS } from '#changes/transaction/effect_handlers'
import type { SideEffects } from '#changes/model/side_effects'

const link = { templateId: 3, linkedAt: '2026-01-02T03:04:05.000Z', templateRecords: [] }

/** Every member with a value. */
const ALL: { [E in keyof SideEffects]-?: NonNullable<SideEffects[E]> } = {
  template: { ...link, from: { ...link, syncedAt: '2026-01-02T03:04:05.000Z' } },
  comments: [
    {
      name: 'www.zone.example',
      type: 'A',
      comments: [
        {
          content: '192.0.2.1',
          priority: 0,
          before: null,
          after: { above: ['# Web'], inline: 'one' },
        },
      ],
    },
  ],
  auditEvents: [{ action: 'zone.changed', detail: { entry: 7 } }],
  outbox: [{ kind: 'flush', zoneId: 1, zoneName: 'zone.example' }],
}

test.group('Side effects of a write', () => {
  test('each one is stored by the transaction and by recovery', ({ assert }) => {
    assert.sameMembers(Object.keys(STORE_EFFECTS), Object.keys(ALL))
    assert.sameMembers(Object.keys(RECOVER_EFFECTS), Object.keys(ALL))
  })

  test('a side effect without a handler is a type error', ({ assert }) => {
    const { outbox: stored, ...others } = STORE_EFFECTS
    // @ts-expect-error Property 'outbox' is missing.
    const incomplete: typeof STORE_EFFECTS = others
    assert.notProperty(incomplete, 'outbox')
    assert.isFunction(stored)
  })

  test('a pending write stores them as JSON', ({ assert }) => {
    assert.deepEqual(JSON.parse(JSON.stringify(ALL)), ALL)
  })
})
