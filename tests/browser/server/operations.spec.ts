// @databases @slow
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { createRecord } from '#tests/support/app/api'
import type { Person } from '#tests/support/app/people/people'
import {
  decide,
  createChangeRequests,
  createChangeRequest,
  reviewScene,
  withReview,
  type Reviewed,
} from '#tests/support/app/review'
import { Visitor } from '#tests/support/browser/browser'
import { ALL_APPEARANCES, inspectPages } from '#tests/support/browser/appearances'

const AT = '2026-01-01T00:00:00.000Z'

let scene: Reviewed
let admin: Person
/** Change requests: applicable, outdated, with a long text, and rejected. */
let requests: Record<'fits' | 'stale' | 'long' | 'rejected', number>
let webhook: number

async function createRequests(): Promise<void> {
  const { asRequester, root, zone, www } = scene
  const edit = (id: number, content: string) => ({ op: 'edit', record_id: id, record: { content } })
  const fits = await createChangeRequest(asRequester, zone, edit(www[1], '192.0.2.9'))
  const stale = await createChangeRequest(asRequester, zone, edit(www[0], '192.0.2.8'))
  const put = { name: 'www', type: 'A', content: '192.0.2.3', ttl: 300 }
  await root.put(`/zones/${zone.id}/records/${www[0]}`, put)
  const text = {
    name: 'text-of-a-rather-long-name',
    type: 'TXT',
    content: `"${'v=long; '.repeat(25)}"`,
  }
  const mx = { name: '@', type: 'MX', content: `mail.${zone.name}.`, priority: 10 }
  const [{ id: long }] = await createChangeRequests(
    asRequester,
    zone,
    [{ op: 'set', name: `new.${zone.name}.`, type: 'TXT', ttl: 300, records: [text] }],
    { comment: 'The new mail server, as agreed with the people of the office on Monday' }
  )
  await createRecord(root, zone, mx)
  const rejected = await createChangeRequest(asRequester, zone, {
    op: 'add',
    record: { ...text, ttl: 60 },
  })
  await decide(scene.asReviewer, rejected, 'reject', { comment: 'Not like this' })
  await asRequester.post(`/change-requests/${fits}/comments`, { text: 'Please soon.\nThank you.' })
  requests = { fits, stale, long, rejected }
}

async function createOperations(): Promise<void> {
  await db.table('zw_job_runs').multiInsert(
    ['succeeded', 'failed'].map((outcome, index) => ({
      job: 'api-keys:expire',
      due_at: `2026-01-0${index + 1}T00:00:00.000Z`,
      cause: index === 0 ? 'schedule' : 'catch-up',
      outcome,
      missed: index,
      node: 'node-1.example',
      started_at: AT,
      ended_at: '2026-01-01T00:00:02.500Z',
      exit_code: index,
      output: `${'a rather long line of output '.repeat(8)}\nand another one`,
    }))
  )
  await db.table('zw_outbox').insert({
    kind: 'notify',
    zone_id: null,
    zone_name: scene.zone.name,
    created_at: AT,
    next_at: AT,
    attempts: 3,
    last_error: 'The PowerDNS API cannot be reached',
    done_at: '2026-01-02T00:00:00.000Z',
  })
  const { body } = await scene.root
    .post('/webhooks', { name: 'chat', url: `https://hooks.example.net/${'x'.repeat(90)}` })
    .then((response) => ({ body: response.body() as { data: { webhook: { id: number } } } }))
  webhook = body.data.webhook.id
  await db.table('zw_webhook_deliveries').insert({
    webhook_id: webhook,
    position: 1,
    type: 'zone.changed',
    zone_id: 0,
    body: JSON.stringify({ zone: scene.zone.name }),
    state: 'given_up',
    attempts: 4,
    next_at: AT,
    status: 503,
    error: 'The call failed: ECONNREFUSED',
    milliseconds: 12,
    created_at: AT,
    ended_at: '2026-01-02T00:00:00.000Z',
  })
}

test.group('Review and operations in the browser', (group) => {
  group.setup(withReview())
  group.setup(() => async () => {
    for (const table of ['zw_webhooks', 'zw_outbox', 'zw_job_runs', 'zw_job_leases']) {
      await db.from(table).delete()
    }
  })

  let ready: Promise<void> | undefined
  group.each.setup(async (t) => {
    ready ??= (async () => {
      scene = await reviewScene(t.context.client)
      admin = scene.admin
      await createRequests()
      await createOperations()
    })()
    await ready
  })

  for (const [name, appearance] of Object.entries(ALL_APPEARANCES)) {
    test(`review and operations pages pass the page checks, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow(appearance)
      const { page } = visitor
      await visitor.signIn(admin)
      const visits: [file: string, path: string][] = [
        ['ops-requests', '/requests'],
        ['ops-requests-own', '/requests?view=own'],
        ['ops-request', `/requests/${requests.fits}`],
        ['ops-request-stale', `/requests/${requests.stale}`],
        ['ops-request-long', `/requests/${requests.long}`],
        ['ops-request-rejected', `/requests/${requests.rejected}`],
        ['ops-jobs', '/jobs'],
        ['ops-job', '/jobs/api-keys:expire'],
        ['ops-outbox', '/outbox'],
        ['ops-webhooks', '/webhooks'],
        ['ops-webhook-new', '/webhooks/new'],
        ['ops-webhook', `/webhooks/${webhook}`],
        ['ops-audit', '/audit'],
        ['ops-audit-wrong', '/audit?action=nothing'],
        ['ops-audit-verify', '/audit/verify'],
        ['ops-settings', '/settings?q=smtp'],
        ['ops-settings-none', '/settings?q=zzzz'],
      ]
      await inspectPages(visitor, assert, visits, name)
      await page.goto('/audit?action=user')
      await page.locator('.table a.row-link').first().click()
      await page.waitForURL(/\/audit\/\d+$/)
      await visitor.picture(`ops-audit-one-${name}`)
      await visitor.inspect(assert)
      await visitor.leave()
    })
  }

  test('a reviewer rejects with a comment and approves, without scripts and by keyboard', async ({
    assert,
  }) => {
    const { asRequester, zone, reviewer } = scene
    const record = (content: string) => ({ name: 'kb', type: 'A', content, ttl: 300 })
    const no = await createChangeRequest(asRequester, zone, {
      op: 'add',
      record: record('192.0.2.50'),
    })
    const yes = await createChangeRequest(asRequester, zone, {
      op: 'add',
      record: record('192.0.2.51'),
    })
    const visitor = await Visitor.openWindow({ scripts: false })
    const { page } = visitor
    await visitor.signIn(reviewer)
    await page.getByRole('link', { name: /^Requests/ }).click()
    await page.getByRole('link', { name: `#${no}` }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Reject' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Give a reason for the rejection').waitFor()
    await visitor.picture('ops-request-refused')
    await page.getByLabel('Comment', { exact: true }).fill('not this one')
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('not this one').waitFor()
    await page.goto(`/requests/${yes}`)
    await page.getByRole('button', { name: 'Approve and apply' }).click()
    await page.getByText(`Change request ${yes} approved and applied.`).waitFor()
    await visitor.picture('ops-request-approved')
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test('a requester submits a change request from the record form and is redirected to it', async ({
    assert,
  }) => {
    const visitor = await Visitor.openWindow({ scripts: false })
    const { page } = visitor
    await visitor.signIn(scene.requester)
    await page.goto(`/zones/${scene.zone.id}/records/new`)
    await page.getByLabel('Name').first().fill('filed')
    await page.locator('[name=content]').first().fill('192.0.2.60')
    await page
      .getByRole('button', { name: /plan|review|Review/i })
      .first()
      .click()
    await page.getByRole('button', { name: 'Request review' }).click()
    await page.getByText(/Change request \d+ submitted/).waitFor()
    await visitor.picture('ops-filed')
    await page.getByRole('link', { name: 'View', exact: true }).click()
    await page.getByRole('heading', { name: /^Change request \d+/ }).waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test('an administrator creates a webhook and sees its secret once', async ({ assert }) => {
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await visitor.signIn(admin)
    await page.goto('/webhooks/new')
    await page.getByLabel('Name').fill('made here')
    await page.getByLabel('URL').fill('https://10.0.0.1/x')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('not a public address').waitFor()
    await visitor.inspect(assert)
    await page.getByLabel('URL').fill('https://hooks.example.net/x')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    assert.match(await page.locator('#secret').inputValue(), /^whsec_/)
    await visitor.picture('ops-webhook-secret')
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('a requester sees the risk, updates an outdated request, comments on it and withdraws it', async ({
    assert,
  }) => {
    const { asRequester, root, zone, requester } = scene
    const { id: record } = await createRecord(root, zone, {
      name: 'risky',
      type: 'A',
      content: '192.0.2.70',
    })
    const id = await createChangeRequest(asRequester, zone, { op: 'delete', record_id: record })
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await visitor.signIn(requester)
    await page.goto('/requests?view=own')
    await page.getByRole('link', { name: `#${id}`, exact: true }).click()
    await page.getByText('medium risk').waitFor()
    await page.getByRole('heading', { name: 'Risks' }).waitFor()
    await page.getByText('no longer resolves').first().waitFor()
    await visitor.picture('ops-request-risk')
    await visitor.inspect(assert)
    const put = { name: 'risky', type: 'A', content: '192.0.2.71', ttl: 600 }
    await root.put(`/zones/${zone.id}/records/${record}`, put)
    await page.reload()
    await page.getByText('change is outdated').waitFor()
    await page.getByRole('button', { name: 'Update to current zone' }).click()
    await page.getByText(`Change request ${id} updated`).first().waitFor()
    assert.equal(await page.getByText('change is outdated').count(), 0)
    await page.getByLabel('Your comment').fill('No longer needed.')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByText('Comment added').waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText(`Change request ${id} withdrawn`).waitFor()
    await page.goto('/requests?view=own&status=cancelled')
    await page.getByRole('link', { name: `#${id}`, exact: true }).waitFor()
    await visitor.leave()
  })
})
