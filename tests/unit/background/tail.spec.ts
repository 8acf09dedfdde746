import { test } from '@japa/runner'
import { OutputTail } from '#background/scheduler/tail'

test.group('Stored output of a job', () => {
  test('empty output is null', ({ assert }) => {
    assert.isNull(new OutputTail().lines)
  })

  test('the last twenty lines are stored', ({ assert }) => {
    const tail = new OutputTail()
    for (let line = 1; line <= 1_000; line += 1) tail.append(`line ${line}\n`)
    const lines = tail.lines?.split('\n') ?? []
    assert.lengthOf(lines, 20)
    assert.deepEqual([lines[0], lines[19]], ['line 981', 'line 1000'])
  })

  test('terminal control characters are removed, and progress output keeps its last state', ({
    assert,
  }) => {
    const tail = new OutputTail()
    tail.append('1 of 3\r2 of 3\r\u001b[32m3 of 3\u001b[0m\n')
    tail.append('a\u0000b\u0007\ud800\n')
    assert.equal(tail.lines, '3 of 3\nab\ufffd')
  })
})
