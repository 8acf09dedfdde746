import { test } from '@japa/runner'
import { Slots } from '#accounts/passwords/slots'
import { Refusal } from '#exceptions/refusal'

/** A work that lasts until it is told to end. */
function work() {
  const state = { started: false, end: () => {} }
  const done = new Promise<void>((resolve) => (state.end = resolve))
  return {
    state,
    run: async () => {
      state.started = true
      await done
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test.group('Passwords | slots', () => {
  test('so many run at once, the others in the order they came', async ({ assert }) => {
    const slots = new Slots(2, 10)
    const works = Array.from({ length: 5 }, work)
    const runs = works.map(({ run }) => slots.run(run))
    const started = () => works.map(({ state }) => state.started)
    await turn()
    assert.deepEqual(started(), [true, true, false, false, false])
    works[1].state.end()
    await turn()
    assert.deepEqual(started(), [true, true, true, false, false])
    works.forEach(({ state }) => state.end())
    await Promise.all(runs)
    assert.deepEqual(started(), [true, true, true, true, true])
  })

  test('more than may wait are refused with 429 and when to come back', async ({ assert }) => {
    const slots = new Slots(1, 1)
    const works = [work(), work()]
    const runs = works.map(({ run }) => slots.run(run))
    const refusal: Refusal = await slots.run(async () => {}).catch((error) => error)
    assert.instanceOf(refusal, Refusal)
    assert.equal(refusal.status, 429)
    assert.match(String(refusal.headers?.['Retry-After']), /^\d+$/)
    works.forEach(({ state }) => state.end())
    await Promise.all(runs)
    await slots.run(async () => {})
  })

  test('a work that fails gives its slot back', async ({ assert }) => {
    const slots = new Slots(1, 1)
    await assert.rejects(() => slots.run(() => Promise.reject(new Error('broken'))), 'broken')
    await slots.run(async () => {})
  })
})
