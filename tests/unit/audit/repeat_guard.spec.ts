import { test } from '@japa/runner'
import {
  anonymousActor as stranger,
  type ActedEvent,
  type AuditActor,
  type AuditEvent,
} from '#audit/event'
import { MAX_SLOTS as MAX_OVERALL, MAX_PER_CALLER, RepeatGuard } from '#audit/repeat_guard'
import { eventually } from '#tests/support/eventually'

const carol: AuditActor = {
  userId: 3,
  username: 'carol',
  key: null,
  address: '192.0.2.3',
  channel: 'api',
}

const denied = (id: number | null): AuditEvent => ({
  action: 'access.denied',
  object: id === null ? null : { kind: 'zone', id, name: `z${id}.example` },
  outcome: 'denied',
  detail: { asked: 'zone.view' },
})

const failed: AuditEvent = { action: 'login.failed', outcome: 'failed' }

function guarded(windowMs?: number) {
  const rows: ActedEvent[] = []
  const guard = new RepeatGuard(async (events) => void rows.push(...events), windowMs)
  return { guard, rows }
}

const repeatsOf = ({ event }: ActedEvent) => event.detail?.repeated

test.group('Repeated refused calls', () => {
  test('a repeated call is written once, and then counted', async ({ assert }) => {
    const { guard, rows } = guarded()
    for (let index = 0; index < 1000; index++) guard.recordEvent(carol, denied(1))
    guard.recordEvent(carol, denied(2))
    guard.recordEvent({ ...carol, address: '192.0.2.4' }, denied(1))
    guard.recordEvent({ ...carol, key: { id: 1 } }, denied(1))
    guard.recordEvent({ ...carol, userId: 4 }, denied(1))
    await guard.flush()
    assert.deepEqual(rows.map(repeatsOf), [...Array(5).fill(undefined), 999])
    const { actor, event } = rows[5]
    assert.deepEqual(actor, carol)
    assert.containsSubset(event, { object: { id: 1 }, detail: { asked: 'zone.view' } })
    assert.isString(event.detail?.since)
    await guard.flush()
    assert.lengthOf(rows, 6)
  })

  test('the first call is written soon, the count at the end of the window', async ({ assert }) => {
    const { guard, rows } = guarded(400)
    guard.recordEvent(carol, denied(1))
    guard.recordEvent(carol, denied(1))
    assert.lengthOf(rows, 0)
    await eventually(() => assert.lengthOf(rows, 1), { within: 350, every: 10 })
    await eventually(() => assert.deepEqual(rows.map(repeatsOf), [undefined, 1]))
    guard.recordEvent(carol, denied(1))
    await eventually(() => assert.lengthOf(rows, 3))
    assert.isUndefined(repeatsOf(rows[2]))
    await guard.flush()
  })

  test('a caller who tries different things gets a limited number of rows', async ({ assert }) => {
    const { guard, rows } = guarded()
    for (let id = 1; id <= 5_000; id++) guard.recordEvent(carol, denied(id))
    await guard.flush()
    assert.lengthOf(rows, MAX_PER_CALLER + 1)
    assert.equal(repeatsOf(rows[MAX_PER_CALLER]), 5_000 - MAX_PER_CALLER)
    assert.deepEqual(rows[MAX_PER_CALLER].actor, carol)
    assert.isUndefined(rows[MAX_PER_CALLER].event.object)
  })

  test('calls from many addresses are limited, and do not hide calls of known callers', async ({
    assert,
  }) => {
    const { guard, rows } = guarded()
    for (let index = 0; index < 50_000; index++) {
      guard.recordEvent(stranger(`2001:db8::${index.toString(16)}`, 'api'), failed)
    }
    guard.recordEvent(carol, denied(1))
    await guard.flush()
    assert.lengthOf(rows, MAX_OVERALL + 2)
    assert.deepEqual(rows[MAX_OVERALL].actor, carol)
    assert.equal(repeatsOf(rows[MAX_OVERALL + 1]), 50_000 - MAX_OVERALL)
    assert.isNull(rows[MAX_OVERALL + 1].actor.address)
  })

  test('calls during a slow write are written together afterwards', async ({ assert }) => {
    const batches: number[] = []
    const waiting: (() => void)[] = []
    const guard = new RepeatGuard(async (events) => {
      batches.push(events.length)
      await new Promise<void>((resolve) => waiting.push(resolve))
    })
    guard.recordEvent(carol, denied(1))
    const flushed = [guard.flush()]
    await eventually(() => assert.lengthOf(waiting, 1))
    for (const id of [2, 3, 4]) {
      guard.recordEvent(carol, denied(id))
      flushed.push(guard.flush())
    }
    assert.deepEqual(batches, [1])
    waiting[0]()
    await eventually(() => assert.lengthOf(waiting, 2))
    waiting[1]()
    await Promise.all(flushed)
    assert.deepEqual(batches, [1, 3])
  })
})
