// @databases
import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { databaseTime } from '#database/rows/clock'
import { startRun, endRun, renewLease } from '#background/scheduler/leases'
import { eventsWith } from '#tests/support/app/audit'
import { unique } from '#tests/support/app/names'
import { eventually } from '#tests/support/eventually'
import { handledUntil, leaseOf, Lines, runsOf, started, testJob } from '#tests/support/jobs/jobs'
import { requestRun } from '#background/scheduler/report'
import { anonymousActor } from '#audit/event'

const WITHIN = { within: 20_000, every: 50 }
const HOUR_MS = 3_600_000

/** Returns the time so many hours ago by the clock of the database. */
async function hoursAgo(hours: number): Promise<string> {
  const now = await databaseTime(db.connection())
  return new Date(now.getTime() - hours * HOUR_MS).toISOString()
}

const ended = async (job: string) => {
  const runs = await runsOf(job)
  return runs.filter(({ ended_at: at }) => at !== null)
}

test.group('The scheduler', (group) => {
  let name: string
  group.each.timeout(60_000)
  group.each.setup(() => {
    name = unique('job')
  })

  test('databaseTime() returns the current time with milliseconds', async ({ assert }) => {
    const now = await databaseTime(db.connection())
    assert.closeTo(now.getTime(), Date.now(), 2_000)
  })

  test('a new job has no missed runs', async ({ assert, cleanup }) => {
    const scheduler = started([testJob(name, ['say', 'x'], { cron: '0 0 1 1 *' })])
    cleanup(() => scheduler.stop())
    await eventually(() => leaseOf(name), WITHIN)
    await sleep(300)
    assert.isEmpty(await runsOf(name))
  })

  test('a due run starts, and its exit code and last lines are stored', async ({
    assert,
    cleanup,
  }) => {
    await handledUntil(name, await hoursAgo(1))
    const scheduler = started([testJob(name, ['say', 'one', 'two'], { cron: '0 * * * *' })])
    cleanup(() => scheduler.stop())
    await eventually(async () => assert.lengthOf(await ended(name), 1), WITHIN)
    const [run] = await ended(name)
    assert.containsSubset(run, {
      outcome: 'succeeded',
      exit_code: 0,
      output: 'one\ntwo',
      node: 'test',
      missed: 0,
    })
    assert.isTrue(run.started_at! <= run.ended_at!)
  })

  test('missed runs are caught up with one run, by any node', async ({ assert, cleanup }) => {
    await handledUntil(name, await hoursAgo(10))
    const jobs = [testJob(name, ['say', 'x'], { cron: '0 * * * *' })]
    const schedulers = [1, 2, 3].map((node) => started(jobs, { node: `n${node}` }))
    cleanup(() => Promise.all(schedulers.map((one) => one.stop())).then(() => {}))
    await eventually(async () => assert.lengthOf(await ended(name), 1), WITHIN)
    await sleep(500)
    const runs = await runsOf(name)
    assert.lengthOf(runs, 1)
    assert.containsSubset(runs[0], { cause: 'catch-up', missed: 9, outcome: 'succeeded' })
  })

  test('a failure is stored, logged, and retried after a pause', async ({ assert, cleanup }) => {
    await handledUntil(name, await hoursAgo(1))
    const log = new Lines()
    const scheduler = started([testJob(name, ['fail'], { cron: '0 * * * *' })], {}, log)
    cleanup(() => scheduler.stop())
    await eventually(async () => assert.lengthOf(await ended(name), 1), WITHIN)
    const [run] = await ended(name)
    assert.containsSubset(run, { outcome: 'failed', exit_code: 3, output: 'It failed' })
    const lease = await leaseOf(name)
    assert.equal(lease.failures, 1)
    assert.isAbove(lease.retryAt!, Date.now() + 10_000)
    const [event] = await eventsWith({ action: 'job.failed', object_name: name })
    assert.containsSubset(event, { username: 'scheduler', outcome: 'failed', channel: 'job' })
    await eventually(() => assert.isTrue(log.all.some((line) => line.includes(name))), WITHIN)
    await db
      .from('zw_job_leases')
      .where('job', name)
      .update({ retry_at: await hoursAgo(0) })
    await eventually(async () => assert.lengthOf(await ended(name), 2), WITHIN)
    const [, again] = await ended(name)
    assert.equal(again.cause, 'retry')
    const failed = await leaseOf(name)
    assert.equal(failed.failures, 2)
  })

  test('a run beyond its time limit is killed, even if it ignores signals', async ({
    assert,
    cleanup,
  }) => {
    await handledUntil(name, await hoursAgo(1))
    const job = testJob(name, ['hang'], { cron: '0 * * * *', timeoutSeconds: 1 })
    const scheduler = started([job])
    cleanup(() => scheduler.stop())
    await eventually(async () => assert.lengthOf(await ended(name), 1), WITHIN)
    const [run] = await ended(name)
    assert.containsSubset(run, { outcome: 'timed_out', exit_code: null })
  })

  test('a run that a stopping node interrupts starts again on another node', async ({
    assert,
    cleanup,
  }) => {
    await handledUntil(name, await hoursAgo(1))
    const job = testJob(name, ['wait'], { cron: '0 * * * *' })
    const first = started([job])
    await eventually(async () => assert.lengthOf(await runsOf(name), 1), WITHIN)
    await sleep(300)
    const startedAt = performance.now()
    await first.stop()
    assert.isBelow(performance.now() - startedAt, 4_000)
    const [run] = await runsOf(name)
    assert.equal(run.outcome, 'stopped')
    const second = started([job], { node: 'other' })
    cleanup(() => second.stop())
    await eventually(async () => assert.lengthOf(await runsOf(name), 2), WITHIN)
    const [, again] = await runsOf(name)
    assert.containsSubset(again, { cause: 'retry', node: 'other', outcome: 'running' })
    const lease = await leaseOf(name)
    assert.equal(lease.failures, 0)
  })

  test('a job never overlaps with itself', async ({ assert, cleanup }) => {
    await handledUntil(name, await hoursAgo(1))
    const job = testJob(name, ['wait'])
    const schedulers = [started([job]), started([job], { node: 'other' })]
    cleanup(() => Promise.all(schedulers.map((one) => one.stop())).then(() => {}))
    await sleep(2_500)
    assert.lengthOf(await runsOf(name), 1)
  })

  test('a run of a dead node is lost after its lease, and starts again', async ({
    assert,
    cleanup,
  }) => {
    const past = await hoursAgo(1)
    await handledUntil(name, past)
    const lease = await leaseOf(name)
    const start = { dueAt: Date.parse(past) + 1, cause: 'schedule' as const, missed: 0 }
    const run = await startRun(lease, start, { node: 'gone', leaseMs: 1_000 })
    assert.exists(run)
    const scheduler = started([testJob(name, ['say', 'x'], { cron: 'off' })])
    cleanup(() => scheduler.stop())
    await eventually(async () => assert.lengthOf(await ended(name), 2), WITHIN)
    const [lost, again] = await runsOf(name)
    assert.equal(lost.outcome, 'lost')
    const lived = Date.parse(lost.ended_at!) - Date.parse(lost.started_at!)
    assert.isTrue(lived >= 1_000 && lived < 2_500, String(lived))
    assert.containsSubset(again, { cause: 'retry', outcome: 'succeeded' })
    assert.isFalse(await renewLease(run!, 1_000))
    assert.isFalse(await endRun(run!, { outcome: 'succeeded', exitCode: 0, output: null }))
    const runs = await runsOf(name)
    assert.equal(runs[0].outcome, 'lost')
  })

  test('a heartbeat extends the lease, whatever another node read before', async ({ assert }) => {
    await handledUntil(name, await hoursAgo(1))
    const lease = await leaseOf(name)
    const start = { dueAt: Date.now(), cause: 'manual' as const, missed: 0 }
    const run = await startRun(lease, start, { node: 'slow', leaseMs: 1 })
    await sleep(50)
    assert.isTrue(await renewLease(run!, 60_000))
    assert.isFalse(await endRun(run!, { outcome: 'lost', exitCode: null, output: null }))
    assert.isTrue(await endRun(run!, { outcome: 'succeeded', exitCode: 0, output: 'x' }))
  })

  test('of concurrent attempts to start one run one succeeds', async ({ assert }) => {
    await handledUntil(name, await hoursAgo(1))
    const lease = await leaseOf(name)
    const start = { dueAt: lease.handledUntil + 1, cause: 'schedule' as const, missed: 0 }
    const won = await Promise.all(
      Array.from({ length: 8 }, () => startRun(lease, start, { node: 'x', leaseMs: 1_000 }))
    )
    assert.lengthOf(
      won.filter((run) => run !== null),
      1
    )
  })

  test('a due time with a run is not repeated after the row was set back', async ({
    assert,
    cleanup,
  }) => {
    const past = await hoursAgo(2)
    await handledUntil(name, past)
    const scheduler = started([testJob(name, ['say', 'x'], { cron: '0 * * * *' })])
    cleanup(() => scheduler.stop())
    await eventually(async () => assert.lengthOf(await ended(name), 1), WITHIN)
    await handledUntil(name, past)
    scheduler.wake()
    await eventually(async () => {
      const lease = await leaseOf(name)
      assert.isAbove(lease.handledUntil, Date.parse(past))
    }, WITHIN)
    assert.lengthOf(await runsOf(name), 1)
  })

  test('a requested run starts once, also for a disabled job', async ({ assert, cleanup }) => {
    const job = testJob(name, ['say', 'asked'], { cron: 'off' })
    const settle = () => Promise.resolve()
    const requested = await requestRun(job, anonymousActor(null, 'api'), settle)
    assert.deepEqual(await requestRun(job, anonymousActor(null, 'api'), settle), requested)
    const schedulers = [started([job]), started([job])]
    cleanup(() => Promise.all(schedulers.map((one) => one.stop())).then(() => {}))
    await eventually(async () => assert.lengthOf(await ended(name), 1), WITHIN)
    const runs = await runsOf(name)
    assert.lengthOf(runs, 1)
    assert.containsSubset(runs[0], { id: requested.id, cause: 'manual', outcome: 'succeeded' })
  })

  test('the history keeps a maximum of runs per job', async ({ assert, cleanup }) => {
    await handledUntil(name, await hoursAgo(0))
    const scheduler = started([testJob(name, ['say', 'x'])], { maxStoredRuns: 2 })
    cleanup(() => scheduler.stop())
    await eventually(async () => assert.lengthOf(await ended(name), 2), WITHIN)
    const [first] = await ended(name)
    await eventually(async () => {
      const runs = await runsOf(name)
      assert.isAbove(runs[0].id, first.id)
      // One further run may have started.
      assert.isAtMost(runs.length, 3)
    }, WITHIN)
  })
})
