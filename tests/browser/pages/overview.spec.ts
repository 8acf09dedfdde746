// @databases @slow
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { sweepRequests } from '#review/sweep'
import { caller, expectStatus, createRecord, createZone } from '#tests/support/app/api'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import { administrator, type Person } from '#tests/support/app/people/people'
import { createChangeRequest, withReview } from '#tests/support/app/review'
import { SigningServer } from '#tests/support/app/zones/signing'
import { Visitor } from '#tests/support/browser/browser'
import { APPEARANCES } from '#tests/support/browser/appearances'
import { handledUntil } from '#tests/support/jobs/jobs'

const JOB = 'api-keys:expire'
const ZONE = 'needs-care.test'

test.group('Overview page', (group) => {
  let server: SigningServer
  let admin: Person
  /** Ids of an outdated and of a pending change request. */
  let stale: number
  let ready: number
  let zone: number

  group.each.timeout(60_000)
  group.setup(withReview())
  group.setup(async () => {
    server = await SigningServer.start({
      APPROVAL_ENABLED: 'true',
      INTERFACE_SHOW_PDNS_STATUS: 'true',
    })
    return async () => {
      await db.from('zw_job_leases').where('job', JOB).delete()
      await server.stop()
    }
  })

  let prepared: Promise<void> | undefined
  group.each.setup(async (t) => {
    prepared ??= (async () => {
      // Administrators see the change requests of all users.
      await db.from('zw_change_requests').where('status', 'pending').update({ status: 'cancelled' })
      admin = await administrator()
      const as = caller(t.context.client, admin)
      const made = await createZone(as, { name: ZONE, owner_user_id: admin.id })
      zone = made.id
      const www = { name: 'www', type: 'A', ttl: 300 }
      const { id: record } = await createRecord(as, made, { ...www, content: '192.0.2.1' })
      const edit = { op: 'edit', record_id: record, record: { content: '192.0.2.9' } }
      stale = await createChangeRequest(as, made, edit)
      ready = await createChangeRequest(as, made, {
        op: 'add',
        record: { ...www, content: '192.0.2.77' },
      })
      const changed = { ...www, content: '192.0.2.3' }
      await expectStatus(as.put(`/zones/${zone}/records/${record}`, changed), 200)
      for await (const swept of sweepRequests(await backendUnderTest())) void swept
      await handledUntil(JOB, new Date().toISOString(), { failures: 3 })
    })()
    await prepared
  })

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`pending work and the state of the name server are shown, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow({ ...appearance, base: server.url })
      const { page } = visitor
      await visitor.signIn(admin)
      await page.goto('/')
      const needs = page.getByRole('region', { name: 'Needs attention' })
      const lines = await needs.locator('.needs > li > p').allInnerTexts()
      const texts = lines.map((line) => line.replaceAll(/\s+/g, ' ').trim())
      assert.deepEqual(texts.slice(0, 3), [
        '1 outdated change request: update it before it can be applied',
        '1 change request to review',
        `failed Job ${JOB} failed 3 times in a row`,
      ])
      assert.include(texts, '1 of your zones is unsigned')
      const [first, second] = await needs.locator('.needs > li').all()
      await first.getByRole('link', { name: `#${stale} by ${admin.username}` }).waitFor()
      await second.getByRole('link', { name: `#${ready} by ${admin.username}` }).waitFor()
      const status = page.getByRole('region', { name: 'Name server' })
      await status.getByText('running', { exact: true }).waitFor()
      assert.match(await status.innerText(), /Version\s+\S+ \d+\.\d+/)
      await visitor.picture(`overview-needs-${name}`)
      await visitor.inspect(assert)
      await needs.getByRole('link', { name: ZONE }).click()
      await page.waitForURL(`**/zones/${zone}`)
      await visitor.leave()
    })
  }
})
