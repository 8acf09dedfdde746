import { availableParallelism } from 'node:os'
import { test } from '@japa/runner'
import { workerCount } from '#start/workers/count'

test.group('Workers | number', () => {
  const CASES: [wanted: number | null, database: string, cores: number, count: number][] = [
    [null, 'pg', 1, 1],
    [null, 'pg', 2, 2],
    [null, 'mysql', 4, 4],
    [null, 'pg', 64, 8],
    [null, 'sqlite', 4, 1],
    [1, 'pg', 4, 1],
    [3, 'sqlite', 2, 3],
    [16, 'pg', 2, 16],
  ]
  for (const [wanted, database, cores, count] of CASES) {
    test(`${wanted} requested, ${database}, ${cores} cores: ${count}`, ({ assert }) => {
      assert.equal(workerCount(wanted, database, cores), count)
    })
  }

  test('the cores are those available to this process', ({ assert }) => {
    assert.equal(workerCount(null, 'pg'), Math.min(availableParallelism(), 8))
  })
})
