import { test } from '@japa/runner'
import { Batcher as Gatherer } from '#database/statements/batcher'

/** Returns a query that the test answers later. */
function pendingQuery() {
  const questions: { items: string[]; answer(): void; fail(): void }[] = []
  const ask = (items: string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    questions.push({
      items,
      answer: () => resolve(items.map((item) => item.toUpperCase())),
      fail: () => reject(new Error('gone')),
    })
    return promise
  }
  return { questions, ask }
}

test.group('Batcher', () => {
  test('keys that arrive during a query are loaded together by the next one', async ({
    assert,
  }) => {
    const { questions, ask } = pendingQuery()
    const gatherer = new Gatherer(ask, 2)
    const answers = ['a', 'b', 'c', 'd'].map((item) => gatherer.load(item))
    assert.deepEqual(questions[0].items, ['a'])
    assert.lengthOf(questions, 1)
    questions[0].answer()
    assert.equal(await answers[0], 'A')
    assert.deepEqual(questions[1].items, ['b', 'c'])
    questions[1].answer()
    assert.equal(await answers[1], 'B')
    questions[2].answer()
    assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C', 'D'])
    assert.lengthOf(questions, 3)
  })

  test('a failed query rejects its keys, and later ones succeed', async ({ assert }) => {
    const { questions, ask } = pendingQuery()
    const gatherer = new Gatherer(ask, 8)
    const first = gatherer.load('a')
    const others = Promise.allSettled([gatherer.load('b'), gatherer.load('c')])
    questions[0].answer()
    await first
    questions[1].fail()
    const [one, other] = await others
    assert.deepEqual([one.status, other.status], ['rejected', 'rejected'])
    const last = gatherer.load('d')
    questions[2].answer()
    assert.equal(await last, 'D')
  })

  test('an unanswered query does not block the next', async ({ assert }) => {
    const { questions, ask } = pendingQuery()
    const gatherer = new Gatherer(ask, 8)
    const stuck = gatherer.load('a')
    const later = gatherer.load('b')
    while (questions.length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    questions[1].answer()
    assert.equal(await later, 'B')
    questions[0].answer()
    assert.equal(await stuck, 'A')
  })
  test('keys that do not fit into the next query do not wait for it', async ({ assert }) => {
    const { questions, ask } = pendingQuery()
    const gatherer = new Gatherer(ask, 1)
    const all = ['a', 'b', 'c'].map((item) => gatherer.load(item))
    questions[0].answer()
    while (questions.length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    questions[2].answer()
    assert.equal(await all[2], 'C')
    questions[1].answer()
    assert.deepEqual(await Promise.all(all), ['A', 'B', 'C'])
  })
})
