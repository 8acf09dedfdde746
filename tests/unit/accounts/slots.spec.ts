import { test } from '@japa/runner'
import { FairQueue, fairnessKeyOf } from '#accounts/passwords/hash_queue'
import { Refusal } from '#exceptions/refusal'

/** Returns an unfinished task and a function that finishes it. */
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

const ONE = { channel: 'web', network: '192.0.2.0/24' }

const turn = () => new Promise((resolve) => setImmediate(resolve))

test.group('Passwords | slots', () => {
  test('a limited number runs concurrently, the others in the order of arrival', async ({
    assert,
  }) => {
    const slots = new FairQueue(2, { maxPerChannel: 10, maxPerNetwork: 10 })
    const works = Array.from({ length: 5 }, work)
    const runs = works.map(({ run }) => slots.run(ONE, run))
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

  test('more requests than may wait get 429 with Retry-After', async ({ assert }) => {
    const slots = new FairQueue(1, { maxPerChannel: 1, maxPerNetwork: 1 })
    const works = [work(), work()]
    const runs = works.map(({ run }) => slots.run(ONE, run))
    const refusal: Refusal = await slots.run(ONE, async () => {}).catch((error) => error)
    assert.instanceOf(refusal, Refusal)
    assert.equal(refusal.status, 429)
    assert.match(String(refusal.headers?.['Retry-After']), /^\d+$/)
    works.forEach(({ state }) => state.end())
    await Promise.all(runs)
    await slots.run(ONE, async () => {})
  })

  test('failed work releases its slot', async ({ assert }) => {
    const slots = new FairQueue(1, { maxPerChannel: 1, maxPerNetwork: 1 })
    await assert.rejects(() => slots.run(ONE, () => Promise.reject(new Error('broken'))), 'broken')
    await slots.run(ONE, async () => {})
  })

  for (const [what, given, expected] of [
    ['one network in the order they came', 'a1 a2 a3', 'a1 a2 a3'],
    ['networks by turns', 'a1 a2 a3 b1 b2', 'a1 b1 a2 b2 a3'],
    ['a late network is next', 'a1 a2 a3 a4 b1', 'a1 b1 a2 a3 a4'],
    ['channels by turns', 'a1 a2 a3 A1 A2', 'a1 A1 a2 A2 a3'],
    ['networks of a channel by turns', 'a1 b1 c1 A1 A2 B1', 'a1 A1 b1 B1 c1 A2'],
    ['many networks at one channel', 'a1 b1 c1 d1 A1', 'a1 A1 b1 c1 d1'],
  ] as const) {
    test(`order: ${what}`, async ({ assert }) => {
      const slots = new FairQueue(1, { maxPerChannel: 10, maxPerNetwork: 10 })
      const first = work()
      const runs = [slots.run(ONE, first.run)]
      const order: string[] = []
      for (const name of given.split(' ')) {
        const network = name[0].toLowerCase()
        const channel = name[0] === network ? 'programs' : 'web'
        runs.push(slots.run({ channel, network }, async () => void order.push(name)))
      }
      await turn()
      first.state.end()
      await Promise.all(runs)
      assert.equal(order.join(' '), expected)
    })
  }

  test('a network that fills the queue leaves slots for others', async ({ assert }) => {
    const slots = new FairQueue(1, { maxPerChannel: 4, maxPerNetwork: 3 })
    const first = work()
    const runs = [slots.run(ONE, first.run)]
    const order: string[] = []
    const refused: string[] = []
    const add = (name: string, channel = 'programs') =>
      runs.push(
        slots
          .run({ channel, network: name[0] }, async () => void order.push(name))
          .catch(() => void refused.push(name))
      )
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2', 'd1']) add(name)
    add('a5', 'web')
    await turn()
    assert.deepEqual(refused.sort(), ['a2', 'a3', 'a4', 'c2'])
    first.state.end()
    await Promise.all(runs)
    assert.sameMembers(order, ['a1', 'b1', 'c1', 'd1', 'a5'])
  })

  for (const [one, other, isSame] of [
    ['192.0.2.1', '192.0.2.200', true],
    ['192.0.2.1', '192.0.3.1', false],
    ['::ffff:192.0.2.1', '192.0.2.7', true],
    ['2001:db8::1', '2001:db8::ffff:1', true],
    ['2001:db8::1', '2001:db8:0:1::1', false],
  ] as const) {
    test(`${one} and ${other} ${isSame ? 'share a queue' : 'have separate queues'}`, ({
      assert,
    }) => {
      const turns = [one, other].map(
        (address) => fairnessKeyOf({ channel: 'api', address }).network
      )
      assert.equal(turns[0] === turns[1], isSame)
      assert.notEqual(
        fairnessKeyOf({ channel: 'web', address: one }).channel,
        fairnessKeyOf({ channel: 'api', address: one }).channel
      )
    })
  }
})
