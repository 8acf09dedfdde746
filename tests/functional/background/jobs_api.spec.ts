// @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { ace } from '#tests/support/app/commands'
import { unique } from '#tests/support/app/names'
import { administrator, person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { runsOf } from '#tests/support/jobs/jobs'
import type { JobReport } from '#background/scheduler/report'
import type { Run } from '#background/scheduler/runs'

const JOB = 'api-keys:expire'
const WITHIN = { within: 20_000, every: 100 }

/** Deletes all rows of jobs. */
async function forget() {
  await db.from('zw_job_runs').delete()
  await db.from('zw_job_leases').delete()
}

test.group('Jobs over the API', (group) => {
  let as: Caller
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    await forget()
    as = caller(t.context.client, await administrator())
  })

  test('GET /jobs lists every job with its next and last run', async ({ assert }) => {
    const jobs: JobReport[] = await dataOf(as.get('/jobs'), 'jobs')
    const names = jobs.map(({ name }) => name)
    assert.includeMembers(names, [JOB, 'audit:prune', 'history:prune', 'zones:rectify-check'])
    const prune = jobs.find(({ name }) => name === 'history:prune')
    assert.deepEqual(prune, {
      name: 'history:prune',
      command: 'history:prune --by-settings',
      cron: '41 3 * * *',
      timezone: 'UTC',
      enabled: true,
      timeout_seconds: 7_200,
      next_run_at: null,
      failures: 0,
      last_run: null,
    })
  })

  test('POST /jobs/{name}/run requests a run, which a scheduler of any node starts', async ({
    assert,
  }) => {
    const response = await as.post(`/jobs/${JOB}/run`, {})
    response.assertStatus(202)
    const { run } = response.body().data as { run: Run }
    assert.containsSubset(run, { job: JOB, cause: 'manual', outcome: 'queued', started_at: null })
    const [event] = await eventsWith({ action: 'job.requested', object_name: JOB })
    assert.equal(event.username, run.requested_by)
    const again: Run = await dataOf(as.post(`/jobs/${JOB}/run`, {}), 'run')
    assert.equal(again.id, run.id)
    const server = await OtherServer.start({ SCHEDULER_ENABLED: 'true' })
    try {
      await eventually(async () => {
        const [done] = await runsOf(JOB)
        assert.equal(done.outcome, 'succeeded')
      }, WITHIN)
    } finally {
      await server.stop()
    }
    const runs: Run[] = await dataOf(as.get(`/jobs/${JOB}/runs`), 'runs')
    assert.lengthOf(runs, 1)
    assert.containsSubset(runs[0], { id: run.id, exit_code: 0 })
    // Other tests leave expired keys.
    assert.match(runs[0].output!, /^Disabled \d+ keys?$/m)
    const jobs: JobReport[] = await dataOf(as.get('/jobs'), 'jobs')
    const job = jobs.find(({ name }) => name === JOB)!
    assert.equal(job.last_run?.id, run.id)
    assert.isAbove(Date.parse(job.next_run_at!), Date.now() - 1_000)
  })

  test('a dry run requests no run', async ({ assert }) => {
    await expectStatus(as.post(`/jobs/${JOB}/run?dry_run=true`, {}), 200)
    assert.isEmpty(await runsOf(JOB))
  })

  test('runs are paged, newest first', async ({ assert }) => {
    for (const day of [1, 2, 3]) {
      const due = `2026-01-0${day}T00:00:00.000Z`
      const row = { job: JOB, due_at: due, cause: 'schedule', outcome: 'succeeded' }
      await db.table('zw_job_runs').insert(row)
    }
    const response = await as.get(`/jobs/${JOB}/runs?page=2&per_page=2`)
    response.assertStatus(200)
    const { data, pagination } = response.body()
    assert.deepEqual(
      data.runs.map((run: Run) => run.due_at),
      ['2026-01-01T00:00:00.000Z']
    )
    assert.deepInclude(pagination, { total: 3, last_page: 2 })
  })

  test('an unknown job gets 404 with the known jobs', async ({ assert }) => {
    const response = await as.get('/jobs/no:such/runs')
    response.assertStatus(404)
    assert.match(response.body().message, /There is no job 'no:such'; available: .*audit:prune/)
  })

  test('only administrators see or run jobs', async ({ client }) => {
    const asOther = caller(client, await person({ permissions: ['user_logs_view'] }))
    await expectStatus(asOther.get('/jobs'), 403)
    await expectStatus(asOther.get(`/jobs/${JOB}/runs`), 403)
    await expectStatus(asOther.post(`/jobs/${JOB}/run`, {}), 403)
  })
})

test.group('Commands of jobs', (group) => {
  group.each.timeout(60_000)
  group.each.setup(forget)

  test('jobs:list prints the due time of each job', async ({ assert }) => {
    const variables = { SCHEDULER_CRON_HISTORY_PRUNE: 'off', SCHEDULER_TIMEZONE: 'Europe/Berlin' }
    const { stdout, code } = await ace(['jobs:list'], { variables })
    assert.equal(code, 0)
    assert.match(stdout, /^history:prune +off +- +- +- +0$/m)
    assert.match(stdout, /^audit:prune +23 \* \* \* \* \(Europe\/Berlin\)/m)
    const listing = await ace(['jobs:list', '--json'], { variables })
    const { jobs } = JSON.parse(listing.stdout) as { jobs: JobReport[] }
    const prune = jobs.find(({ name }) => name === 'history:prune')
    assert.containsSubset(prune, { cron: null, enabled: false, next_run_at: null })
  })

  test('jobs:run runs a job in the process, and jobs:history lists the run', async ({ assert }) => {
    const doneResult = await ace(['jobs:run', JOB], { spawned: true })
    assert.deepEqual(doneResult, { code: 0, stdout: 'Disabled 0 keys\n', stderr: '' })
    const { stdout } = await ace(['jobs:history', JOB, '--output'])
    assert.match(stdout, /api-keys:expire .* manual .* succeeded .*\n {4}Disabled 0 keys\n$/)
    const jobHistory = await ace(['jobs:history', '--json'])
    const { runs } = JSON.parse(jobHistory.stdout) as { runs: Run[] }
    assert.lengthOf(runs, 1)
    assert.containsSubset(runs[0], { job: JOB, cause: 'manual', outcome: 'succeeded' })
  })

  test('jobs:run exits with 1 for a failed job, and reports a concurrent run', async ({
    assert,
  }) => {
    await db.table('zw_job_leases').insert({
      job: JOB,
      handled_until: new Date().toISOString(),
      run_id: 1,
      leased_until: '2099-01-01T00:00:00.000Z',
    })
    const { code, stderr } = await ace(['jobs:run', JOB])
    assert.equal(code, 1)
    assert.equal(stderr, `The job '${JOB}' is running: only one run at a time is allowed\n`)
    const none = await ace(['jobs:run', unique('no')])
    assert.equal(none.code, 1)
    assert.match(none.stderr, /^There is no job /)
  })

  test('invalid settings prevent the start with the allowed values', async ({ assert }) => {
    const variables = { SCHEDULER_CRON_OUTBOX_WORK: '61 * * * *', SCHEDULER_TIMEZONE: 'Mars' }
    const { code, stderr } = await ace(['jobs:list'], { variables })
    assert.equal(code, 1)
    assert.match(stderr, /scheduler\.timezone: found "Mars" .* IANA time zone/)
    assert.match(stderr, /scheduler\.cron\.outbox_work: found "61 \* \* \* \*" .* cron expression/)
  })

  test('history:prune and audit:prune remove nothing with settings that keep everything', async ({
    assert,
  }) => {
    const history = await ace(['history:prune', '--by-settings'])
    assert.deepEqual(history, { code: 0, stdout: 'Removed 0 entries of 0 zones\n', stderr: '' })
    const both = await ace(['history:prune', '--by-settings', '--keep=3'])
    assert.equal(both.code, 1)
    const audit = await ace(['audit:prune', '--by-settings', '--json'])
    assert.deepEqual(JSON.parse(audit.stdout), { events: 0, dry_run: false })
  })

  test('outbox:work ends at once without a DNS server to notify', async ({ assert }) => {
    const { code, stdout } = await ace(['outbox:work'])
    assert.equal(code, 0)
    assert.equal(
      stdout,
      'There is no DNS server to notify: pdns_api.url and pdns_api.key are empty\n'
    )
  })
})

test.group('The job api-keys:expire', (group) => {
  group.each.timeout(60_000)

  test('disables expired keys once, and no others', async ({ client, assert }) => {
    const as = caller(client, await administrator())
    const make = (members: object): Promise<{ id: number }> =>
      dataOf(as.post('/api-keys', { name: unique('key'), ...members }), 'api_key')
    const later = await make({ expires_at: '2099-01-01T00:00:00.000Z' })
    const expired = await make({ expires_at: '2099-01-01T00:00:00.000Z' })
    const idle = await make({ idle_days: 10 })
    const used = await make({ idle_days: 10 })
    const past = '2026-01-01T00:00:00.000Z'
    await db.from('zw_api_keys').where('id', expired.id).update({ expires_at: past })
    await db
      .from('zw_api_keys')
      .whereIn('id', [idle.id, used.id])
      .update({ created_at: past, idle_from: past })
    const now = new Date().toISOString()
    await db.from('zw_api_keys').where('id', used.id).update({ last_used_at: now })
    const { stdout } = await ace(['api-keys:expire', '--json'])
    const { keys } = JSON.parse(stdout) as { keys: { id: number; because: string }[] }
    const because = new Map(keys.map((key) => [key.id, key.because]))
    assert.equal(because.get(expired.id), 'expired')
    assert.equal(because.get(idle.id), 'idle')
    assert.isFalse(because.has(later.id) || because.has(used.id))
    const enabled = await db
      .from('zw_api_keys')
      .whereIn('id', [later.id, expired.id, idle.id, used.id])
      .where('enabled', true)
    assert.sameMembers(
      enabled.map(({ id }) => id as number),
      [later.id, used.id]
    )
    const [event] = await eventsWith({ action: 'key.disabled', object_id: idle.id })
    assert.include(JSON.stringify(event), 'idle')
    const secondResult = await ace(['api-keys:expire', '--json'])
    assert.deepEqual(JSON.parse(secondResult.stdout), { keys: [] })
  })
})
