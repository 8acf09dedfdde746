import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sealAll } from '#audit/sealer'
import { registry } from '#settings/define'
import { eventsWith } from '#tests/support/app/audit'
import { unique } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { statusOfPage, signedIn, type WebClient } from '#tests/support/web/client'
import { fieldOf, wordsOf } from '#tests/support/web/review'

const FROM = { from: '/account/password' }

let admin: Person
let root: WebClient

test.group('Operations in the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
    root = await signedIn(admin)
    return async () => {
      await db.from('zw_webhooks').delete()
      await db.from('zw_outbox').delete()
      await db.from('zw_job_runs').delete()
      await db.from('zw_job_leases').delete()
    }
  })

  test('jobs are listed with their runs, and a requested run is queued', async ({ assert }) => {
    const list = await root.get('/jobs')
    assert.include(wordsOf(list), 'every day at 03:41')
    assert.include(wordsOf(list), 'every 10 minutes')
    const job = 'api-keys:expire'
    await db.table('zw_job_runs').insert({
      job,
      due_at: '2026-01-01T00:00:00.000Z',
      cause: 'schedule',
      outcome: 'failed',
      missed: 0,
      started_at: '2026-01-01T00:00:00.000Z',
      ended_at: '2026-01-01T00:00:02.500Z',
      exit_code: 1,
      output: '<b>broken</b>',
    })
    const response = await root.post(`/jobs/${job}/run`, {}, FROM)
    assert.equal(response.status, 303)
    const page = await root.get(`/jobs/${job}`)
    assert.include(page.html, '&lt;b&gt;broken&lt;/b&gt;')
    assert.include(wordsOf(page), '2.50 s')
    const runs = await db.from('zw_job_runs').where({ job, outcome: 'queued' })
    assert.lengthOf(runs, 1)
    assert.equal(await statusOfPage(root.get('/jobs/none:such')), 404)
  })

  test('failed outbox rows can be retried, with an audit event', async ({ assert }) => {
    const zone = `${unique('zone')}.example`
    const row = {
      kind: 'notify',
      zone_id: null,
      zone_name: zone,
      created_at: '2026-01-01T00:00:00.000Z',
      next_at: '2099-01-01T00:00:00.000Z',
    }
    await db.table('zw_outbox').insert({
      ...row,
      attempts: 3,
      last_error: '<i>cannot be reached</i>',
      done_at: '2026-01-02T00:00:00.000Z',
    })
    await db.table('zw_outbox').insert({ ...row, zone_name: `other.${zone}`, attempts: 0 })
    const page = await root.get('/outbox')
    assert.include(page.html, '&lt;i&gt;cannot be reached')
    assert.include(wordsOf(page), 'failed permanently')
    const retried = await root.post('/outbox/retry', {}, FROM)
    assert.equal(retried.status, 303)
    const stored = await db.from('zw_outbox').where('zone_name', zone).first()
    assert.isNull(stored.done_at)
    assert.isTrue(stored.next_at <= new Date().toISOString())
    const waiting = await db.from('zw_outbox').where('zone_name', `other.${zone}`).first()
    assert.equal(waiting.next_at, row.next_at)
    const [event] = await eventsWith({ action: 'outbox.retried', username: admin.username })
    assert.deepEqual(event.detail, { events: 1 })
  })

  test('a webhook is created with its secret shown once, changed, sent again, and deleted', async ({
    assert,
  }) => {
    const values = {
      name: '<b>hook</b>',
      url: 'https://hooks.example.net/x',
      types: 'zone, key.revoked',
    }
    const refused = await root.post('/webhooks/new', { ...values, url: 'https://10.0.0.1/x' }, FROM)
    assert.equal(refused.status, 422)
    assert.include(wordsOf(refused), '10.0.0.1 is not a public address')
    assert.include(refused.html, 'value="&lt;b&gt;hook&lt;/b&gt;"')
    const form = { ...values, enabled: '1', once: refused.hidden('once') }
    const created = await root.post('/webhooks/new', form, FROM)
    assert.equal(created.status, 200)
    assert.include(created.html, 'data-once')
    const [, secret] = /(whsec_[\w-]{43})/.exec(created.html) ?? []
    assert.exists(secret)
    const repeatedPage = await root.post('/webhooks/new', form, FROM)
    assert.deepEqual([repeatedPage.status, repeatedPage.location], [303, '/webhooks'])
    const [row, ...others] = await db.from('zw_webhooks').orderBy('id', 'desc')
    assert.isEmpty(others)
    const path = `/webhooks/${row.id}`
    const page = await root.get(path)
    assert.notInclude(page.html, secret)
    assert.notInclude(page.html, '<b>hook')
    const tag = fieldOf(page, 'tag')
    const saved = await root.post(path, { ...values, name: 'hook', tag }, FROM)
    assert.equal(saved.status, 303)
    const lost = await root.post(path, { ...values, name: 'other', tag }, FROM)
    assert.equal(lost.status, 412)
    // The form keeps the submitted text and shows the stored text next to it.
    assert.include(lost.html, 'value="other"')
    assert.include(wordsOf(lost), 'Name: hook')
    assert.notInclude(wordsOf(lost), 'Events:')
    const unseen = await root.post(path, { ...values, name: 'other' }, FROM)
    assert.equal(unseen.status, 412)
    const [changed] = await db.from('zw_webhooks').where('id', row.id)
    assert.equal(changed.name, 'hook')
    assert.isFalse(Boolean(changed.enabled))
    await db.table('zw_webhook_deliveries').insert({
      webhook_id: row.id,
      position: 1,
      type: 'zone.changed',
      zone_id: 0,
      body: '{"text":"<u>"}',
      state: 'given_up',
      attempts: 4,
      next_at: '2026-01-01T00:00:00.000Z',
      status: 503,
      milliseconds: 12,
      created_at: '2026-01-01T00:00:00.000Z',
      ended_at: '2026-01-02T00:00:00.000Z',
    })
    const delivery = await db.from('zw_webhook_deliveries').where('webhook_id', row.id).first()
    const sent = await root.get(path)
    assert.include(wordsOf(sent), '503')
    assert.notInclude(sent.html, '<u>')
    const replayed = await root.post(`${path}/deliveries/${delivery.id}/replay`, {}, FROM)
    assert.equal(replayed.status, 303)
    const again = await db.from('zw_webhook_deliveries').where('id', delivery.id).first()
    assert.equal(again.state, 'waiting')
    const disabledPage = await root.post(`${path}/test`, {}, FROM)
    assert.equal(disabledPage.status, 409)
    assert.include(wordsOf(disabledPage), 'The webhook is disabled')
    const unconfirmedPage = await root.post(`${path}/secret`, {}, FROM)
    assert.equal(unconfirmedPage.status, 422)
    const before = await db.from('zw_webhooks').where('id', row.id).first()
    assert.equal(before.secret, row.secret)
    const terms = { sure: '1', once: fieldOf(unconfirmedPage, 'once') }
    const renewed = await root.post(`${path}/secret`, terms, FROM)
    assert.match(renewed.html, /whsec_[\w-]{43}/)
    assert.notInclude(renewed.html, secret)
    const after = await db.from('zw_webhooks').where('id', row.id).first()
    const sentAgain = await root.post(`${path}/secret`, terms, FROM)
    assert.deepEqual([sentAgain.status, sentAgain.location], [303, path])
    const remaining = await db.from('zw_webhooks').where('id', row.id).first()
    assert.equal(remaining.secret, after.secret)
    assert.equal(await statusOfPage(root.post(`${path}/delete`, {}, FROM)), 303)
    assert.equal(await statusOfPage(root.get(path)), 404)
  })

  test('the audit log is filtered, shown, exported and verified', async ({ assert }) => {
    const someUser = await person({ permissions: ['user_logs_view'] })
    await signedIn(someUser)
    const page = await root.get(`/audit?user=${someUser.username}&action=login`)
    const [, id] = /href="\/audit\/(\d+)"/.exec(page.html) ?? []
    assert.exists(id)
    const one = await root.get(`/audit/${id}`)
    assert.include(wordsOf(one), 'login.succeeded')
    const errorPage = await root.get('/audit?action=nothing&user=%3Cb%3E')
    assert.equal(errorPage.status, 422)
    assert.include(errorPage.html, 'value="&lt;b&gt;"')
    assert.notInclude(errorPage.html, '<b>')
    const lateSubmission = await root.get('/audit?since=tomorrow')
    assert.include(wordsOf(lateSubmission), 'From: must be a time')
    const lines = await root.get(`/audit/export?format=jsonl&user=${someUser.username}`)
    assert.equal(lines.status, 200)
    const events = lines.html
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { action: string })
    assert.includeMembers(
      events.map(({ action }) => action),
      ['login.succeeded']
    )
    const table = await root.get(`/audit/export?format=csv&user=${someUser.username}`)
    assert.match(table.html, /^id,position,time,user,/)
    assert.include(table.html, someUser.username)
    await sealAll()
    const checked = await root.post('/audit/verify', {}, FROM)
    assert.include(wordsOf(checked), 'verified. No tampering found.')
    // The result of a log check is not stored, because a long log would displace the stored results of other forms.
    assert.equal(checked.path, '/audit/verify')
    const otherEnd = await root.post('/audit/verify', { kept: `999999999:${'0'.repeat(64)}` }, FROM)
    assert.include(wordsOf(otherEnd), '1 problem found')
    assert.equal(await statusOfPage(root.post('/audit/verify', { kept: 'odd' }, FROM)), 422)
  })

  test('a reader of the user log sees no other events and cannot verify the chain', async ({
    assert,
  }) => {
    const reader = await person({ permissions: ['user_logs_view'] })
    const visitor = await signedIn(reader)
    const [denied] = await db.from('zw_audit').where('action', 'outbox.retried').limit(1)
    const page = await visitor.get('/audit?area=system')
    assert.equal(page.status, 200)
    assert.notInclude(page.html, 'outbox.retried')
    assert.equal(await statusOfPage(visitor.get(`/audit/${denied.id}`)), 404)
    const lines = await visitor.get('/audit/export?format=jsonl&object=zone')
    assert.equal(lines.html, '')
    assert.equal(await statusOfPage(visitor.get('/audit/verify')), 403)
    assert.equal(await statusOfPage(visitor.post('/audit/verify', {}, FROM)), 403)
  })

  test('settings are shown with their source, and never with secrets', async ({ assert }) => {
    const page = await root.get('/settings')
    assert.equal(page.status, 200)
    for (const { key, setting, value } of registry.all()) {
      assert.include(page.html, `>${key}<`)
      if (setting.secret && value !== '') assert.notInclude(page.html, String(value))
    }
    assert.notInclude(page.html, process.env.APP_KEY!)
    const filteredPage = await root.get('/settings?q=lease_seconds')
    assert.include(filteredPage.html, '>scheduler.lease_seconds<')
    assert.notInclude(filteredPage.html, '>scheduler.enabled<')
    const emptyPage = await root.get('/settings?q=%22%3E%3Cscript%3E')
    assert.notInclude(emptyPage.html, '"><script>')
    assert.include(wordsOf(emptyPage), 'No matching settings')
  })

  test('each setting shows whether the environment sets it', async ({ assert }) => {
    const page = await root.get('/settings')
    const rows = page.html.split('<tr>')
    const origins = new Set<boolean>()
    for (const { key, variable } of registry.all()) {
      const isThere = process.env[variable] !== undefined
      const row = rows.find((one) => one.includes(`>${key}<`)) ?? ''
      assert.match(row, isThere ? />\s*environment\s*</ : />\s*default\s*</, key)
      origins.add(isThere)
    }
    assert.lengthOf([...origins], 2)
  })

  test('other users cannot open these pages', async ({ assert }) => {
    const visitor = await signedIn(await person({ permissions: ['zone_content_view_others'] }))
    for (const path of [
      '/jobs',
      '/jobs/audit:prune',
      '/outbox',
      '/webhooks',
      '/webhooks/new',
      '/audit',
      '/audit/export',
      '/settings',
    ]) {
      assert.equal(await statusOfPage(visitor.get(path)), 403, path)
    }
    assert.equal(await statusOfPage(visitor.post('/outbox/retry', {}, FROM)), 403)
    const home = await visitor.get('/')
    assert.notInclude(home.html, 'href="/jobs"')
  })
})
