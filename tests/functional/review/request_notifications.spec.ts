// @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { chunks } from '#database/statements/chunks'
import { findRequest } from '#changes/requests/store'
import { classifyMailError } from '#review/notification_mail'
import { findReviewerCandidates } from '#review/reviewer_candidates'
import { unique } from '#tests/support/app/names'
import { OtherServer } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { owner, reviewScene, type Reviewed } from '#tests/support/app/review'
import { SmtpServer, textOf, type Mail } from '#tests/support/mail/smtp_server'
import {
  permissionTemplate,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'

const APP_URL = 'http://dns.example.test'

let smtp: SmtpServer
let server: OtherServer
let scene: Reviewed

/** Sends an API call to the server that sends mail. */
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

const fileAs = (user: Person, content: string) =>
  call(user, `/zones/${scene.zone.id}/change-requests`, {
    actions: [
      { op: 'add', record: { name: 'api', type: 'TXT', content: `"${content}"`, ttl: 300 } },
    ],
    comment: 'for the office',
  })

/** Sets a mail address for a user. */
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

test.group('Mails about change requests', (group) => {
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

  test('reviewers get a mail about a new request, and its author about the decision', async ({
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
    const lines = (mail: string) => mail.replaceAll('\r\n', '\n')
    assert.include(lines(text), `${scene.requester.username} wrote:\n\n> for the office\n`)
    assert.notInclude(text, 'secret-content')
    await call(scene.reviewer, `/change-requests/${id}/reject`, { comment: 'not now' })
    const mailText = textOf(await mailTo(author))
    assert.include(lines(mailText), `${scene.reviewer.username} wrote:\n\n> not now\n`)
    assert.lengthOf(smtp.to(author), 1)
    assert.lengthOf(smtp.to(reviewer), 1)
  })

  test('users who disabled mails get none, and no user gets a mail about an own action', async ({
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

  test('reviewers get mails about at most twenty requests of one author per hour', async ({
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
    // These requests have no zones, which no real request lacks.
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
        const open = await db
          .from('zw_outbox')
          .whereIn('kind', ['review', 'mail'])
          .whereNull('done_at')
        assert.isEmpty(open)
      },
      { within: 20_000, every: 100 }
    )
    assert.lengthOf(smtp.to(reviewer), 2)
  })

  test('a user who lost the right to review before delivery gets no mail', async ({ assert }) => {
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

  test('an unreachable mail server delays nothing, and gets the mail later', async ({ assert }) => {
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

  test('a deferred mail is sent later and does not delay others', async ({ assert, cleanup }) => {
    cleanup(() => void (smtp.refuse = () => undefined))
    const [first, second] = [await reachable(scene.admin.id), await reachable(scene.reviewer.id)]
    let isPutOff = true
    smtp.refuse = (command) =>
      isPutOff && /^RCPT/.test(command) && [first, second].some((to) => command.includes(to))
        ? '450 4.2.0 greylisted'
        : undefined
    const id = await fileAs(scene.requester, 'grey')
    const waiting = () =>
      db
        .from('zw_outbox')
        .where({ kind: 'mail', zone_name: scene.zone.name })
        .whereNotNull('last_error')
        .whereNull('done_at')
    await eventually(
      async () => {
        const rows = await waiting()
        if (rows.length < 2) throw new Error('both are to wait')
        assert.equal(rows[0].last_error, 'The mail server does not accept this email now')
      },
      { within: 20_000, every: 100 }
    )
    assert.lengthOf([...smtp.to(first), ...smtp.to(second)], 0)
    isPutOff = false
    await db.from('zw_outbox').where('kind', 'mail').update({ next_at: new Date().toISOString() })
    for (const to of [first, second]) {
      assert.include(textOf(await mailTo(to)), `/requests/${id}`)
    }
  })

  test('only a permanent error of the mail server gives up a mail', ({ assert }) => {
    for (const [code, responseCode, meaning] of [
      ['EENVELOPE', 550, 'refused'],
      ['EMESSAGE', 554, 'refused'],
      ['EENVELOPE', undefined, 'refused'],
      ['EENVELOPE', 450, 'put_off'],
      ['EMESSAGE', 452, 'put_off'],
      ['EENVELOPE', 421, 'down'],
      ['EAUTH', 535, 'signed_out'],
      ['EENVELOPE', 530, 'signed_out'],
      ['ECONNECTION', 554, 'down'],
      ['EPROTOCOL', 554, 'down'],
      ['ETLS', 501, 'down'],
      ['ESOCKET', undefined, 'down'],
    ] as const) {
      const cause = Object.assign(new Error('said'), { code, responseCode })
      const told = `${code} ${responseCode}`
      assert.equal(classifyMailError(cause), meaning, told)
      assert.equal(classifyMailError(new Error('sending', { cause })), meaning, told)
    }
  })

  test('reviewers are found among any number of reviewers of other zones', async ({
    assert,
    cleanup,
  }) => {
    const { zone, requester } = scene
    const template = await permissionTemplate('user', ['zone_change_approve_own'])
    const now = new Date().toISOString()
    const many = Array.from({ length: 501 }, () => {
      const username = unique('other')
      const email = `${username}@example.test`
      const row = { username, email, permission_template_id: template.id }
      return { ...row, created_at: now, updated_at: now }
    })
    for (const rows of chunks(many, 100)) await db.table('zw_users').multiInsert(rows)
    cleanup(async () => {
      await db.from('zw_users').where('permission_template_id', template.id).delete()
    })
    const late = await owner(zone, ['zone_change_approve_own'])
    const everywhere = await person({ permissions: ['zone_change_approve_others'] })
    const team = await createTeam(['zone_change_approve_own'])
    const member = await person({ groups: [team.name] })
    const { name: elsewhere } = await createTeam(['zone_change_approve_own'])
    const stranger = await person({ groups: [elsewhere] })
    await db
      .table('zw_zone_groups')
      .insert({ zone_id: zone.id, group_id: team.id, created_at: now })
    for (const { id } of [late, everywhere, member, stranger]) await reachable(id)
    const request = await findRequest(await fileAs(requester, 'late'))
    const found = await findReviewerCandidates(request!)
    assert.includeMembers(found, [late.id, everywhere.id, member.id])
    assert.notInclude(found, stranger.id)
    const others = await db
      .from('zw_users')
      .where('permission_template_id', template.id)
      .whereIn('id', found)
    assert.lengthOf(others, 0)
  })
})
