import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { unique } from '#tests/support/app/names'
import { OtherServer } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { reviewScene, type Reviewed } from '#tests/support/app/review'
import { SmtpServer, textOf, type Mail } from '#tests/support/mail/smtp_server'
import type { Person } from '#tests/support/app/people'

const APP_URL = 'http://dns.example.test'

let smtp: SmtpServer
let server: OtherServer
let scene: Reviewed

/** A call of the API of the server that sends mail. */
async function call({ key }: Person, path: string, body: object): Promise<number> {
  const response = await fetch(`${server.url}/api/v2${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { data } = (await response.json()) as { data?: { change_request?: { id: number } } }
  if (response.status >= 300) throw new Error(`${path}: ${response.status}`)
  return data?.change_request?.id ?? 0
}

const fileAs = (who: Person, content: string) =>
  call(who, `/zones/${scene.zone.id}/change-requests`, {
    actions: [
      { op: 'add', record: { name: 'api', type: 'TXT', content: `"${content}"`, ttl: 300 } },
    ],
    comment: 'for the office',
  })

/** Gives somebody a mail address. */
async function reachable(id: number): Promise<string> {
  const email = `${unique('mail')}@example.test`
  await db.from('zw_users').where('id', id).update({ email })
  return email
}

async function mailTo(to: string, count = 1): Promise<Mail> {
  await eventually(
    () => {
      if (smtp.to(to).length < count) throw new Error(`no mail to ${to}`)
    },
    { within: 20_000, every: 100 }
  )
  return smtp.to(to)[count - 1]
}

test.group('News of change requests by mail', (group) => {
  group.each.timeout(60_000)
  group.setup(async () => {
    smtp = await SmtpServer.start()
    server = await OtherServer.start({
      APP_URL,
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM: 'dns@example.test',
      APPROVAL_ENABLED: 'true',
      APPROVAL_NOTIFY_BY_MAIL: 'true',
    })
    return async () => {
      await server.stop()
      smtp.stop()
      await db.from('zw_outbox').whereIn('kind', ['review', 'mail']).delete()
    }
  })
  group.each.setup(async (t) => {
    scene = await reviewScene(t.context.client)
  })

  test('reviewers learn that one was filed, and its author what became of it', async ({
    assert,
  }) => {
    const [reviewer, author] = [
      await reachable(scene.reviewer.id),
      await reachable(scene.requester.id),
    ]
    const id = await fileAs(scene.requester, 'secret-content')
    const text = textOf(await mailTo(reviewer))
    assert.include(text, `${APP_URL}/requests/${id}`)
    assert.include(text, scene.requester.username)
    assert.include(text, 'for the office')
    assert.notInclude(text, 'secret-content')
    await call(scene.reviewer, `/change-requests/${id}/reject`, { comment: 'not now' })
    const told = textOf(await mailTo(author))
    assert.include(told, 'not now')
    assert.lengthOf(smtp.to(author), 1)
    assert.lengthOf(smtp.to(reviewer), 1)
  })

  test('whoever switched it off gets none, and nobody is told of what they did themselves', async ({
    assert,
  }) => {
    const { reviewer, requester, admin } = scene
    const [quiet, author, told] = [
      await reachable(reviewer.id),
      await reachable(requester.id),
      await reachable(admin.id),
    ]
    await db.table('zw_preferences').insert({ user_id: reviewer.id, review_mail: false })
    const id = await fileAs(requester, 'one')
    await mailTo(told)
    await call(requester, `/change-requests/${id}/rebase`, {})
    const own = await fileAs(reviewer, 'two')
    await mailTo(told, 2)
    await call(reviewer, `/change-requests/${own}/approve`, {})
    await call(reviewer, `/change-requests/${id}/reject`, {})
    await mailTo(author)
    assert.lengthOf(smtp.to(quiet), 0)
    assert.lengthOf(smtp.to(author), 1)
    const rows = await db.from('zw_outbox').whereIn('kind', ['review', 'mail']).whereNull('done_at')
    assert.lengthOf(rows, 0)
  })

  test('of many requests of one author reviewers are told of the first twenty in an hour', async ({
    assert,
    cleanup,
  }) => {
    const reviewer = await reachable(scene.reviewer.id)
    await fileAs(scene.requester, 'first')
    await mailTo(reviewer)
    const row = () => ({
      kind: 'records',
      status: 'cancelled',
      requester_id: scene.requester.id,
      requester_name: scene.requester.username,
      created_at: new Date().toISOString(),
    })
    // They have no zones, which no request lacks.
    cleanup(async () => {
      await db
        .from('zw_change_requests')
        .where({ requester_id: scene.requester.id, status: 'cancelled' })
        .delete()
    })
    await db.table('zw_change_requests').multiInsert(Array.from({ length: 18 }, row))
    await fileAs(scene.requester, 'the last of them')
    await mailTo(reviewer, 2)
    await fileAs(scene.requester, 'one more')
    await eventually(
      async () => {
        const open = await db.from('zw_outbox').where('kind', 'review').whereNull('done_at')
        assert.isEmpty(open)
      },
      { within: 20_000, every: 100 }
    )
    const mails = await db.from('zw_outbox').where('kind', 'mail').whereNull('done_at')
    assert.isEmpty(mails)
    assert.lengthOf(smtp.to(reviewer), 2)
  })

  test('whoever lost the right to review before a mail could be sent gets none', async ({
    assert,
  }) => {
    const [reviewer, other] = [await reachable(scene.reviewer.id), await reachable(scene.admin.id)]
    const { port } = smtp
    smtp.stop()
    await fileAs(scene.requester, 'later')
    await eventually(
      async () => {
        const failed = await db.from('zw_outbox').where('kind', 'mail').whereNotNull('last_error')
        const users = failed.map(({ payload }) => (JSON.parse(payload) as { user: number }).user)
        assert.includeMembers(users, [scene.reviewer.id, scene.admin.id])
      },
      { within: 20_000, every: 100 }
    )
    await db.from('zw_zone_owners').where('user_id', scene.reviewer.id).delete()
    smtp = await SmtpServer.start(port)
    await db.from('zw_outbox').where('kind', 'mail').update({ next_at: new Date().toISOString() })
    await mailTo(other)
    await eventually(
      async () => {
        assert.isEmpty(await db.from('zw_outbox').where('kind', 'mail').whereNull('done_at'))
      },
      { within: 20_000, every: 100 }
    )
    assert.lengthOf(smtp.to(reviewer), 0)
  })

  test('a mail server that cannot be reached holds nothing up, and gets the mail later', async ({
    assert,
  }) => {
    const reviewer = await reachable(scene.reviewer.id)
    const { port } = smtp
    smtp.stop()
    const id = await fileAs(scene.requester, 'later')
    await eventually(
      async () => {
        const row = await db
          .from('zw_outbox')
          .where('kind', 'mail')
          .whereNotNull('last_error')
          .first()
        if (!row) throw new Error('nothing has failed')
        assert.equal(row.last_error, 'The mail server cannot be reached')
      },
      { within: 20_000, every: 100 }
    )
    smtp = await SmtpServer.start(port)
    await db.from('zw_outbox').where('kind', 'mail').update({ next_at: new Date().toISOString() })
    assert.include(textOf(await mailTo(reviewer)), `/requests/${id}`)
  })
})
