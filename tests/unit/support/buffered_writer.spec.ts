import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { BufferedWriter } from '#support/buffered_writer'

class Words extends BufferedWriter {
  readonly written: string[] = []
  #words: string[] = []

  constructor(private readonly writeMs = 0) {
    super()
  }

  add(word: string, milliseconds: number): void {
    this.#words.push(word)
    this.writeWithin(milliseconds)
  }

  protected async write(): Promise<void> {
    const words = this.#words.join(' ')
    this.#words = []
    await sleep(this.writeMs)
    this.written.push(words)
  }
}

test.group('Buffered writer', () => {
  test('all data are written after the shortest of the times', async ({ assert }) => {
    const writer = new Words()
    writer.add('a', 60_000)
    writer.add('b', 10)
    writer.add('c', 60_000)
    await sleep(50)
    assert.deepEqual(writer.written, ['a b c'])
  })

  test('a flush writes data that were added during a slow write', async ({ assert }) => {
    const writer = new Words(20)
    writer.add('a', 60_000)
    const first = writer.flush()
    await Promise.resolve()
    writer.add('b', 60_000)
    const second = writer.flush()
    writer.add('c', 60_000)
    await Promise.all([first, second, writer.flush()])
    assert.deepEqual(writer.written, ['a', 'b c'])
  })
})
