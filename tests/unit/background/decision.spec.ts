import { test } from '@japa/runner'
import { MAX_MISSED_RUNS, nextStartTime, findDueRun } from '#background/scheduler/decision'
import { jobsOf, type JobDeclaration } from '#background/scheduler/declaration'

const DECLARATION: JobDeclaration = {
  command: 'a:b',
  cron: '*/5 * * * *',
  timezone: 'UTC',
  timeoutSeconds: 60,
  jitterSeconds: 0,
}

const job = (more: Partial<JobDeclaration> = {}) => jobsOf([{ ...DECLARATION, ...more }], 'x')[0]
const at = (time: string) => Date.parse(`2026-05-01T${time}Z`)
const state = (handledUntil: number, retryAt: number | null = null) => ({ handledUntil, retryAt })

test.group('Decisions about a job', () => {
  test('a job does not start before it is due', ({ assert }) => {
    assert.isNull(findDueRun(job(), state(at('10:00:00')), at('10:04:59.999')))
    assert.equal(nextStartTime(job(), state(at('10:00:00')), at('10:04:00')), at('10:05:00'))
  })

  test('a job starts when it is due', ({ assert }) => {
    const start = findDueRun(job(), state(at('10:00:00')), at('10:05:00'))
    assert.deepEqual(start, { dueAt: at('10:05:00'), cause: 'schedule', missed: 0 })
  })

  test('missed runs are caught up with one run', ({ assert }) => {
    const start = findDueRun(job(), state(at('10:00:00')), at('10:31:00'))
    assert.deepEqual(start, { dueAt: at('10:30:00'), cause: 'catch-up', missed: 5 })
    assert.isNull(findDueRun(job(), state(at('10:30:00')), at('10:31:00')))
  })

  test('a late run for a single due time is a catch-up', ({ assert }) => {
    const start = findDueRun(job({ cron: '0 3 * * *' }), state(at('02:00:00')), at('09:00:00'))
    assert.deepEqual(start, { dueAt: at('03:00:00'), cause: 'catch-up', missed: 0 })
  })

  test('after years the last due time is found at once, and missed runs are counted up to a thousand', ({
    assert,
  }) => {
    for (const cron of ['* * * * * *', '*/5 * * * *', '0 4 * * *']) {
      const before = process.cpuUsage()
      const start = findDueRun(job({ cron }), state(Date.parse('2006-01-01')), at('12:00:00'))
      const { user, system } = process.cpuUsage(before)
      assert.isBelow((user + system) / 1000, 2_000, `${cron}, CPU milliseconds`)
      assert.equal(start?.missed, MAX_MISSED_RUNS)
      const last = cron === '0 4 * * *' ? at('04:00:00') : at('12:00:00')
      assert.equal(start?.dueAt, last, cron)
    }
  })

  test('a clock that was set back makes no run due again', ({ assert }) => {
    assert.isNull(findDueRun(job(), state(at('10:05:00')), at('09:30:00')))
    assert.isNull(findDueRun(job(), state(at('10:05:00')), at('10:05:30')))
    assert.equal(findDueRun(job(), state(at('10:05:00')), at('10:10:00'))?.dueAt, at('10:10:00'))
  })

  test('a clock that was set forward causes one run for all due times between', ({ assert }) => {
    const start = findDueRun(job(), state(at('10:05:00')), at('12:05:00'))
    assert.deepEqual(start, { dueAt: at('12:05:00'), cause: 'catch-up', missed: 23 })
  })

  test('a failed job pauses even if it is due', ({ assert }) => {
    const failed = state(at('10:05:00'), at('10:12:00'))
    assert.isNull(findDueRun(job(), failed, at('10:11:00')))
    assert.equal(nextStartTime(job(), failed, at('10:11:00')), at('10:12:00'))
    const start = findDueRun(job(), failed, at('10:12:00'))
    assert.deepEqual(start, { dueAt: at('10:10:00'), cause: 'catch-up', missed: 0 })
  })

  test('a failed job is retried after its pause, due or not', ({ assert }) => {
    const failed = state(at('10:05:00'), at('10:06:00'))
    const start = findDueRun(job(), failed, at('10:06:00'))
    assert.deepEqual(start, { dueAt: at('10:06:00'), cause: 'retry', missed: 0 })
  })

  test('a disabled job is never due, but a failed run is retried', ({ assert }) => {
    const off = job({ cron: 'off' })
    assert.isNull(findDueRun(off, state(0), at('10:00:00')))
    assert.isNull(nextStartTime(off, state(0), at('10:00:00')))
    assert.equal(findDueRun(off, state(0, at('09:00:00')), at('10:00:00'))?.cause, 'retry')
  })

  test('a delay moves every run by the same time', ({ assert }) => {
    const delayed = { ...job(), delayMs: 90_000 }
    assert.isNull(findDueRun(delayed, state(at('10:00:00')), at('10:06:29')))
    assert.deepEqual(findDueRun(delayed, state(at('10:00:00')), at('10:06:30')), {
      dueAt: at('10:05:00'),
      cause: 'schedule',
      missed: 0,
    })
    assert.equal(nextStartTime(delayed, state(at('10:00:00')), at('10:01:00')), at('10:06:30'))
  })
})

test.group('Declarations of jobs', () => {
  test('the delay of a job and an installation is constant and below the jitter', ({ assert }) => {
    const delays = new Set<number>()
    for (const seed of ['a', 'b', 'c', 'd', 'e']) {
      const [one, other] = jobsOf(
        [
          { ...DECLARATION, jitterSeconds: 600 },
          { ...DECLARATION, command: 'c:d', jitterSeconds: 600 },
        ],
        seed
      )
      const [again] = jobsOf([{ ...DECLARATION, jitterSeconds: 600 }], seed)
      assert.equal(one.delayMs, again.delayMs)
      for (const { delayMs } of [one, other]) {
        assert.isTrue(delayMs >= 0 && delayMs < 600_000)
        delays.add(delayMs)
      }
    }
    assert.isAbove(delays.size, 5)
  })

  test('an invalid expression and a duplicate job throw', ({ assert }) => {
    assert.throws(() => job({ cron: 'sometimes' }), /the job 'a:b' has the cron expression "some/)
    assert.throws(() => jobsOf([DECLARATION, DECLARATION], 'x'), /'a:b' is declared twice/)
  })
})
