// @process
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { AUDIT_ACTIONS, type AuditAction } from '#audit/actions'
import { canonicalJson } from '#audit/canonical_json'
import type { AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import { sealAll } from '#audit/sealer'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { emptyLog, eventsWith } from '#tests/support/app/audit'
import { ace } from '#tests/support/app/commands'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person } from '#tests/support/app/people/people'
import { OtherServer, testFolder } from '#tests/support/app/server'
import { withSettings } from '#tests/support/app/settings'
import { eventually } from '#tests/support/eventually'

const DAY_MS = 86_400_000
const LIMIT = 60_000

interface Entry {
  id: number
  action: AuditAction
  position: number | null
  hash: string | null
  detail: Record<string, unknown>
}

const entriesOf = (as: Caller, query = ''): Promise<Entry[]> =>
  dataOf(as.get(`/audit${query}`), 'entries')

const actionsOf = async (as: Caller, query = '') => {
  const entries = await entriesOf(as, query)
  return entries.map(({ action }) => action)
}

const write = (...events: AuditEvent[]) => record(db.connection(), maintainer(), events)

const about = (
  action: AuditAction,
  kind: NonNullable<AuditEvent['object']>['kind'],
  id: number,
  name: string
): AuditEvent => ({ action, object: { kind, id, name } })

test.group('GET /api/v2/audit', (group) => {
  let as: Caller
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    await emptyLog()
  })
  group.teardown(emptyLog)

  test('GET /audit returns all events to an administrator, newest first', async ({ assert }) => {
    await write(
      { ...about('group.created', 'group', 5, 'ops'), detail: { note: 'a "b"\n' } },
      { action: 'login.failed', outcome: 'failed' }
    )
    const response = await as.get('/audit')
    response.assertStatus(200)
    const { data, message, pagination } = response.body()
    assert.equal(message, 'Audit log retrieved successfully')
    assert.deepEqual(pagination, { current_page: 1, per_page: 100, total: 2, last_page: 1 })
    const actor = {
      user_id: null,
      username: 'maintainer',
      api_key_id: null,
      address: null,
      channel: 'cli',
    }
    const [failed, created] = data.entries
    assert.deepInclude(failed, { action: 'login.failed', object: null, outcome: 'failed' })
    const { id, time, ...rest } = created
    assert.isAbove(failed.id, id)
    assert.isAtMost(Math.abs(Date.now() - Date.parse(time)), 60_000)
    assert.deepEqual(rest, {
      actor,
      action: 'group.created',
      object: { kind: 'group', id: 5, name: 'ops' },
      outcome: 'success',
      detail: { note: 'a "b"\n' },
      position: null,
      hash: null,
    })
  })

  test('a client can verify the hashes of the response', async ({ assert }) => {
    await write(
      about('group.created', 'group', 5, 'größe 😀'),
      { action: 'login.failed' },
      { action: 'setup', detail: { migrations: ['a', 'b'], n: 1.5 } }
    )
    await sealAll()
    const entries = await entriesOf(as)
    let previous = '0'.repeat(64)
    for (const { position, hash, ...event } of entries.reverse()) {
      const text = canonicalJson(event as never)
      previous = createHash('sha256').update(`${previous}\n${text}`).digest('hex')
      assert.equal(hash, previous)
      assert.isNumber(position)
    }
    assert.lengthOf(entries, 3)
  })

  test('GET /audit filters by user, action, object and time', async ({ client, assert }) => {
    const at = (time: string): AuditEvent => ({ action: 'user.updated', time })
    await write(
      about('user.created', 'user', 1, 'carol'),
      about('user.deleted', 'user', 2, 'dave'),
      about('zone.created', 'zone', 1, 'carol'),
      at('2020-01-01T00:00:00.000Z'),
      at('2020-01-02T00:00:00.000Z')
    )
    const eve = await person({ permissions: ['user_is_ueberuser'] })
    const hers = caller(client, eve)
    await createZone(hers, { name: zoneNamed() })
    for (const [query, wanted] of [
      [`?user=${eve.username}`, ['zone.owner_added', 'zone.created']],
      ['?action=user.deleted', ['user.deleted']],
      ['?object=user', ['user.created', 'user.deleted', 'user.created']],
      ['?object=user:2', ['user.deleted']],
      ['?object=user:carol', ['user.created']],
      ['?object=zone:carol', ['zone.created']],
      ['?until=2020-01-01', ['user.updated']],
      ['?since=2020-01-01&until=2020-02-01', ['user.updated', 'user.updated']],
      ['?action=user&until=2020-02-01', ['user.updated', 'user.updated']],
      ['?user=nobody', []],
    ] as const) {
      assert.deepEqual(await actionsOf(as, query), [...wanted], query)
    }
    for (const [query, message] of [
      ['?action=nonsense', /^'action' must be .*; found "nonsense"$/],
      ['?object=record:1', /^'object' must be one of user, key,.*; found "record:1"$/],
      ['?since=yesterday', /^'since' must be a time/],
    ] as const) {
      const response = await as.get(`/audit${query}`)
      response.assertStatus(400)
      assert.match(response.body().message, message)
    }
  })

  test('GET /audit returns pages', async ({ assert }) => {
    await write(...Array.from({ length: 7 }, (_, id) => about('user.updated', 'user', id, 'x')))
    const response = await as.get('/audit?page=2&per_page=3&action=user')
    const { data, pagination } = response.body()
    assert.deepEqual(
      data.entries.map((entry: { object: { id: number } }) => entry.object.id),
      [3, 2, 1]
    )
    assert.deepEqual(pagination, { current_page: 2, per_page: 3, total: 7, last_page: 3 })
  })

  test('holders of a log permission see their area, and no contents of zones', async ({
    client,
    assert,
  }) => {
    const canary = zoneNamed('canary')
    const users = caller(client, await person({ permissions: ['user_logs_view'] }))
    const groups = caller(client, await person({ permissions: ['group_logs_view'] }))
    const both = caller(
      client,
      await person({ permissions: ['user_logs_view', 'group_logs_view'] })
    )
    await emptyLog()
    await createZone(as, { name: canary })
    const zones = [{ id: 4711, name: canary }]
    const actions = Object.keys(AUDIT_ACTIONS) as AuditAction[]
    await write(...actions.map((action): AuditEvent => ({ action, detail: { zones } })))
    const areaOf = (action: AuditAction) => AUDIT_ACTIONS[action].area
    for (const [asUser, areas] of [
      [users, ['users']],
      [groups, ['groups']],
      [both, ['users', 'groups']],
    ] as const) {
      const wanted = actions.filter((action) =>
        (areas as readonly string[]).includes(areaOf(action))
      )
      const response = await asUser.get('/audit?per_page=1000')
      const { data, pagination } = response.body()
      assert.sameMembers(
        data.entries.map(({ action }: Entry) => action),
        wanted
      )
      assert.equal(pagination.total, wanted.length)
      assert.notInclude(response.text(), canary)
      assert.notInclude(response.text(), '4711')
      for (const query of ['action=zone', `object=zone:${canary}`, 'action=access.denied']) {
        const nothing = await asUser.get(`/audit?${query}`)
        assert.deepEqual(nothing.body().data.entries, [])
        assert.equal(nothing.body().pagination.total, 0)
      }
    }
    assert.include(JSON.stringify(await entriesOf(as)), '4711')
  })

  test('GET /audit refuses other users and keys with zone restrictions', async ({ client }) => {
    const admin = await administrator()
    const zone = await createZone(as, { name: zoneNamed() })
    const others = [
      await person(),
      await person({ template: 'Zone Manager' }),
      await person({ permissions: ['zone_logs_view_others', 'user_view_others'] }),
      await keyFor(admin, { zones: [zone] }),
      await keyFor(admin, { operations: ['create'] }),
    ]
    for (const other of others) {
      await expectStatus(caller(client, other).get('/audit'), 403)
    }
    await expectStatus(client.get('/api/v2/audit'), 401)
  })
})

test.group('Commands of the audit log', (group) => {
  group.each.timeout(LIMIT)
  group.each.setup(emptyLog)
  group.teardown(emptyLog)

  const old = new Date(Date.now() - 40 * DAY_MS).toISOString()

  test('audit:list prints events without terminal control characters', async ({ assert }) => {
    await write({
      ...about('group.created', 'group', 5, 'ops\u001b[2J'),
      detail: { note: 'a\u001b[31m' },
    })
    await write({ action: 'login.failed', outcome: 'failed' })
    const text = await ace(['audit:list'])
    assert.notInclude(text.stdout, '\u001b')
    const [failed, created] = text.stdout.split('\n')
    assert.match(failed, /^- {2}\S+Z {2}maintainer \(cli\) {2}login\.failed {2}failed {2}\{\}$/)
    assert.include(
      created,
      '  group.created group 5 ops\\u{1b}[2J  success  {"note":"a\\u001b[31m"}'
    )
    const json = await ace(['audit:list', '--json', '--action=login', '--limit=1'])
    assert.deepEqual(
      JSON.parse(json.stdout).entries.map(({ action }: Entry) => action),
      ['login.failed']
    )
    const wrong = await ace(['audit:list', '--object=nothing'])
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^'object' must be one of/)
  })

  test('audit:verify seals, checks, and prints the chain end', async ({ assert }) => {
    await write({ action: 'setup' }, { action: 'login.failed' })
    const fine = await ace(['audit:verify'])
    assert.equal(fine.code, 0)
    const [, head] =
      /^2 events verified, 0 findings, 0 not sealed yet\nHead: (2:[0-9a-f]{64})\n$/.exec(
        fine.stdout
      ) ?? []
    assert.isString(head)
    await write({ action: 'login.failed' })
    const secondResult = await ace(['audit:verify', `--head=${head}`])
    assert.equal(secondResult.code, 0)
    await db.from('zw_audit').where('action', 'setup').update({ username: 'mallory' })
    const broken = await ace([
      'audit:verify',
      `--head=${head.replace(':', ':0').slice(0, -1)}`,
      '--json',
    ])
    assert.equal(broken.code, 1)
    const { findings, verified, unsealed } = JSON.parse(broken.stdout)
    assert.deepInclude({ verified, unsealed }, { verified: 2, unsealed: 0 })
    assert.deepEqual(
      findings.map(({ kind, position }: { kind: string; position: number }) => [kind, position]),
      [
        ['altered', 1],
        ['kept', 2],
      ]
    )
    const wrong = await ace(['audit:verify', '--head=2'])
    assert.equal(wrong.code, 1)
    assert.match(wrong.stderr, /^--head must be <position>:<64 hex digits>/)
  })

  test('audit:verify --accept continues the log after a change of APP_KEY', async ({ assert }) => {
    await write({ action: 'setup' })
    await sealAll()
    const variables = { APP_KEY: 'another-key-of-the-audit-tests' }
    await write({ action: 'login.failed' })
    const found = await ace(['audit:verify'], { variables })
    assert.equal(found.code, 1)
    assert.match(found.stdout, /^end \(position 1\): .* is not valid \(was APP_KEY changed\?\)\n/)
    assert.include(found.stdout, '1 events verified, 1 findings, 1 not sealed yet')
    const pruned = await ace(['audit:prune', '--older-than=0'], { variables })
    assert.equal(pruned.code, 1)
    assert.match(pruned.stderr, /^The audit log cannot be continued: /)
    const accepted = await ace(['audit:verify', '--accept'], { variables })
    assert.equal(accepted.code, 0)
    assert.include(accepted.stdout, '3 events verified, 0 findings, 0 not sealed yet')
  })

  test('audit:prune removes events by age, or by the setting', async ({ assert }) => {
    await write({ action: 'setup', time: old }, { action: 'login.failed' })
    await sealAll()
    const bare = await ace(['audit:prune'])
    assert.equal(bare.code, 1)
    assert.match(bare.stderr, /^Give --older-than=<days>/)
    const counted = await ace(['audit:prune', '--older-than=30', '--dry-run', '--json'])
    assert.deepEqual(JSON.parse(counted.stdout), { events: 1, dry_run: true })
    assert.lengthOf(await eventsWith({ action: 'setup' }), 1)
    const doneResult = await withSettings({ logging: { audit_retention_days: 30 } }, () =>
      ace(['audit:prune'])
    )
    assert.equal(doneResult.stdout, 'Removed 1 event\n')
    assert.lengthOf(await eventsWith({ action: 'setup' }), 0)
    const verified = await ace(['audit:verify'])
    assert.equal(verified.code, 0)
  })

  test('setup writes one event about its changes, and none without changes', async ({ assert }) => {
    const file = join(testFolder('setup'), 'new.sqlite3')
    const variables = { DB_CONNECTION: 'sqlite', DB_FILE: file, ADMIN_PASSWORD: 'canary-of-setup' }
    await ace(['setup', '--admin=root'], { variables })
    await ace(['setup', '--admin=root'], { variables })
    const { stdout } = await ace(['audit:list', '--json'], { variables })
    const entries: Entry[] = JSON.parse(stdout).entries
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['user.created', 'setup']
    )
    assert.include(entries[1].detail.migrations as string[], '0008_create_audit_and_webhook_tables')
    assert.notInclude(stdout, 'canary')
  })

  test('the service seals events in the background', async ({ assert }) => {
    await write({ action: 'setup', time: old }, { action: 'login.failed' })
    const server = await OtherServer.start({})
    try {
      await eventually(
        async () => assert.lengthOf(await eventsWith({ action: 'setup', sealed: true }), 1),
        { within: 15_000, every: 200 }
      )
    } finally {
      await server.stop()
    }
  })

  test('the job removes events by the setting, and none without it', async ({ assert }) => {
    await write({ action: 'setup', time: old }, { action: 'login.failed' })
    await sealAll()
    const secondRun = await ace(['jobs:run', 'audit:prune'], { spawned: true })
    assert.deepEqual(secondRun, { code: 0, stdout: 'Removed 0 events\n', stderr: '' })
    const variables = { LOGGING_AUDIT_RETENTION_DAYS: '30' }
    const doneResult = await ace(['jobs:run', 'audit:prune'], { variables })
    assert.equal(doneResult.stdout, 'Removed 1 event\n')
    const [pruned] = await eventsWith({ action: 'audit.pruned' })
    assert.deepInclude(pruned, { username: 'scheduler', channel: 'job' })
  })

  test('refused calls just before the end of the service are stored', async ({ assert }) => {
    const server = await OtherServer.start({ API_ENABLED: 'true' })
    for (let times = 0; times < 3; times++) {
      const { status } = await server.get('/api/v2/zones', { 'x-api-key': 'wrong' })
      assert.equal(status, 401)
    }
    await server.stop()
    const events = await eventsWith({ action: 'login.failed' })
    assert.deepEqual(
      events.map(({ detail }) => detail.repeated ?? 0),
      [0, 2]
    )
  })
})
