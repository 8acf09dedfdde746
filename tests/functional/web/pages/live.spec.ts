import { test } from '@japa/runner'
import { AUDIT_ACTIONS } from '#audit/actions'
import { sealAll } from '#audit/sealer'
import { isOfTypes } from '#events/event'
import { revokeSessionsOf } from '#accounts/sessions/sessions'
import db from '@adonisjs/lucid/services/db'
import { baseUrl, caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, createTeam, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { eventually } from '#tests/support/eventually'
import { StreamReader } from '#tests/support/events/reader'
import { signedIn, WebClient } from '#tests/support/web/client'

const WITHIN = { within: 20_000, every: 50 }

/** Reads the event stream of a browser. */
class Listener {
  text = ''
  isEnded = false
  readonly #gone = new AbortController()
  status = 0

  static async open(client: WebClient, headers: Record<string, string> = {}): Promise<Listener> {
    const listener = new Listener()
    const response = await fetch(`${baseUrl()}/live`, {
      headers: { accept: 'text/event-stream', cookie: client.cookieHeader, ...headers },
      signal: listener.#gone.signal,
      redirect: 'manual',
    })
    listener.status = response.status
    void listener.#read(response).catch(() => {})
    return listener
  }

  async #read(response: Response): Promise<void> {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body! as unknown as AsyncIterable<Uint8Array>) {
        this.text += decoder.decode(chunk, { stream: true })
      }
    } finally {
      this.isEnded = true
    }
  }

  close(): void {
    this.#gone.abort()
  }
}

test.group('Live updates of the web interface', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  test('a page gets events of other users about visible zones only', async ({
    assert,
    cleanup,
  }) => {
    const hidden = await createZone(as, { name: zoneNamed() })
    const client = await signedIn(await owner(zone, ['zone_content_view_own']))
    await sealAll()
    const listener = await Listener.open(client)
    cleanup(() => listener.close())
    await eventually(() => assert.match(listener.text, /id: \d+/), WITHIN)
    await createRecord(as, hidden, { name: 'www', type: 'A', content: '192.0.2.1' })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    await sealAll()
    await eventually(() => assert.include(listener.text, 'event: zone.changed'), WITHIN)
    assert.notInclude(listener.text, hidden.name)
    assert.include(listener.text, zone.name)
  })

  test('administrators get only the event data that pages need', async ({ assert, cleanup }) => {
    const listener = await Listener.open(await signedIn(admin))
    cleanup(() => listener.close())
    await eventually(() => assert.match(listener.text, /id: \d+/), WITHIN)
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    await sealAll()
    await eventually(() => assert.include(listener.text, 'event: zone.changed'), WITHIN)
    assert.include(listener.text, admin.username)
    assert.notMatch(listener.text, /"(object|detail)"/)
  })

  test('a group event has the group id for readers of the log', async ({ assert, cleanup }) => {
    const team = await createTeam([])
    const listener = await Listener.open(await signedIn(admin))
    const other = await Listener.open(await signedIn(await owner(zone, ['zone_content_view_own'])))
    cleanup(() => [listener, other].forEach((one) => one.close()))
    await eventually(() => assert.match(listener.text, /id: \d+/), WITHIN)
    await eventually(() => assert.match(other.text, /id: \d+/), WITHIN)
    const given = await as.post(`/groups/${team.id}/zones`, { zone_id: zone.id })
    assert.isBelow(given.status(), 300, JSON.stringify(given.body()))
    await sealAll()
    await eventually(() => assert.include(listener.text, 'event: zone.owner_added'), WITHIN)
    await eventually(() => assert.include(other.text, 'event: zone.owner_added'), WITHIN)
    assert.include(listener.text, `"group_id":${team.id}`)
    assert.notInclude(other.text, 'group_id')
  })

  test('a user event has the user id for readers of the log', async ({ assert, cleanup }) => {
    const removed = await administrator()
    const listener = await Listener.open(await signedIn(admin))
    const other = await Listener.open(await signedIn(await owner(zone, ['zone_content_view_own'])))
    cleanup(() => [listener, other].forEach((one) => one.close()))
    await eventually(() => assert.match(listener.text, /id: \d+/), WITHIN)
    await eventually(() => assert.match(other.text, /id: \d+/), WITHIN)
    const deleted = await as.delete(`/users/${removed.id}`)
    assert.isBelow(deleted.status(), 300, JSON.stringify(deleted.body()))
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    await sealAll()
    await eventually(() => assert.include(listener.text, 'event: user.deleted'), WITHIN)
    await eventually(() => assert.include(other.text, 'event: zone.changed'), WITHIN)
    assert.include(listener.text, `"user_id":${removed.id}`)
    assert.notMatch(other.text, /user_id|user\.deleted/)
  })

  test('streams of pages do not count as streams of the API', async ({ assert, cleanup }) => {
    const client = await signedIn(admin)
    const pages = await Promise.all(Array.from({ length: 10 }, () => Listener.open(client)))
    cleanup(() => pages.forEach((page) => page.close()))
    const statuses = pages.map(({ status }) => status)
    assert.deepEqual(new Set(statuses), new Set([200]))
    const full = await Listener.open(client)
    assert.equal(full.status, 429)
    const reader = await StreamReader.open(admin)
    cleanup(() => reader.close())
    await eventually(() => assert.isNotNull(reader.lastId), WITHIN)
  })

  test('the stream ends with the session, and requires one', async ({ assert, cleanup }) => {
    const client = await signedIn(admin)
    const listener = await Listener.open(client)
    cleanup(() => listener.close())
    await eventually(() => assert.match(listener.text, /id: \d+/), WITHIN)
    await revokeSessionsOf(db.connection(), admin.id)
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    await sealAll()
    await eventually(() => assert.isTrue(listener.isEnded), WITHIN)
    assert.notInclude(listener.text, 'zone.changed')
    const late = await Listener.open(client)
    assert.equal(late.status, 401)
    const nobody = await Listener.open(new WebClient())
    assert.equal(nobody.status, 401)
  })

  test('pages of other origins and invalid ids are refused', async ({ assert }) => {
    const client = await signedIn(admin)
    const foreign = await Listener.open(client, { 'sec-fetch-site': 'cross-site' })
    assert.equal(foreign.status, 403)
    const wrong = await Listener.open(client, { 'last-event-id': 'x' })
    assert.equal(wrong.status, 400)
  })

  test('lists use their own events, and the event types exist', async ({ assert }) => {
    const client = await signedIn(admin)
    const team = await createTeam([])
    const actions = Object.keys(AUDIT_ACTIONS)
    for (const [path, types] of [
      ['/permission-templates', 'template'],
      ['/zone-templates', 'zone_template'],
      ['/webhooks', 'webhook.created,webhook.updated,webhook.deleted'],
      ['/jobs', 'job'],
      ['/server/autoprimaries', 'autoprimary'],
      ['/settings/api-keys?of=all', 'key'],
      [`/groups/${team.id}/members`, 'group,user.updated,user.deleted'],
      [`/groups/${team.id}/zones`, 'group,zone.owner_added,zone.owner_removed'],
    ]) {
      const { html } = await client.get(path)
      assert.include(html, `data-live="${types}"`, path)
      // The page of a group only gets the events of this group.
      const isOfGroup = path.startsWith('/groups/')
      assert.equal(html.includes(`data-group="${team.id}"`), isOfGroup, path)
      for (const type of types.split(',')) {
        assert.isTrue(actions.some((action) => isOfTypes(action, [type])))
      }
    }
    const log = await client.get('/audit')
    const eventTypes = /data-live="([^"]*)"/.exec(log.html)?.[1].split(',') ?? []
    assert.isTrue(isOfTypes('user.login', eventTypes) && isOfTypes('zone.changed', eventTypes))
    for (const narrowed of ['/audit?action=user.created', '/audit?page=2']) {
      const page = await client.get(narrowed)
      assert.notInclude(page.html, 'data-live')
    }
    // The list of own keys gets no events of foreign keys.
    const ownPage = await client.get('/settings/api-keys')
    assert.notInclude(ownPage.html, 'data-live')
  })

  test('a stream does not extend the session', async ({ assert, cleanup }) => {
    const client = await signedIn(admin)
    // The first page creates the form secret in the session.
    await client.get('/search')
    const seen = '2020-01-01T00:00:00.000Z'
    await db.from('zw_sessions').where('user_id', admin.id).update({ seen_at: seen })
    const listener = await Listener.open(client)
    cleanup(() => listener.close())
    await eventually(() => assert.match(listener.text, /id: \d+/), WITHIN)
    const rows = await db.from('zw_sessions').where('user_id', admin.id)
    assert.deepEqual(
      rows.map((row) => row.seen_at),
      [seen]
    )
    await client.get('/search')
    const [row] = await db.from('zw_sessions').where('user_id', admin.id)
    assert.isAbove(Date.parse(row.seen_at), Date.parse(seen))
  })
})
