import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { hashKey } from '#accounts/keys/secret'
import { claimIdempotencyKey } from '#changes/idempotency/requests'
import apiSettings from '#config/api'
import { caller, dataOf, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { manager } from '#tests/support/app/people/key_managers'
import { isEscaped } from '#tests/support/web/client'
import { signedIn, type Page, type WebClient } from '#tests/support/web/client'

const LIST = '/settings/api-keys'

let owner: Person
let as: Caller
let client: WebClient
let zone: { id: number; name: string }

interface Key {
  id: number
  name: string
  enabled: boolean
  read_only: boolean
  operations: string[]
  zones: { id: number }[]
  zone_restricted: boolean
  patterns: { name: string; types: string[] }[]
  pattern_restricted: boolean
  networks: string[]
  expires_at: string | null
  idle_days: number | null
}

/** Returns the secret on a page. */
function secretOn({ html }: Page): string {
  return /id="secret" value="([^"]+)"/.exec(html)?.[1] ?? ''
}

const named = async (name: string): Promise<Key | undefined> => {
  const keys: Key[] = await dataOf(as.get('/api-keys'), 'api_keys')
  return keys.find((key) => key.name === name)
}

const form = {
  name: 'a key',
  access: 'all',
  zone_scope: 'all',
  name_scope: 'all',
  zones: '',
  patterns: '',
  networks: '',
  expires_at: '',
  idle_days: '',
}

test.group('API keys in the web interface', (group) => {
  group.each.setup(async (t) => {
    ;({ who: owner, as, zone } = await manager(t.context.client))
    client = await signedIn(owner)
  })

  test('a key is created with its restrictions, and its secret is shown once', async ({
    client: api,
    assert,
  }) => {
    const page = await client.get(`${LIST}/new`)
    const created = await client.post(`${LIST}/new`, {
      ...form,
      'once': page.hidden('once'),
      'access': 'some',
      'operations[]': ['view', 'create'],
      'zone_scope': 'some',
      'zones': zone.name,
      'name_scope': 'some',
      'patterns': `_acme-challenge.${zone.name} TXT\n*.dyn.${zone.name} a, aaaa`,
      'networks': '127.0.0.0/8, ::1',
      'expires_at': '2099-01-31 12:00',
      'idle_days': '30',
    })
    assert.equal(created.status, 200)
    assert.equal(created.headers.get('cache-control'), 'no-store')
    const secret = secretOn(created)
    assert.match(secret, /^pwa_[0-9a-f]{64}$/)
    const works = await api.get('/api/v2/zones').header('x-api-key', secret)
    works.assertStatus(200)
    const key = await named('a key')
    assert.containsSubset(key, {
      read_only: false,
      operations: ['view', 'create'],
      zones: [{ id: zone.id }],
      patterns: [
        { name: `_acme-challenge.${zone.name}`, types: ['TXT'] },
        { name: `*.dyn.${zone.name}`, types: ['A', 'AAAA'] },
      ],
      networks: ['127.0.0.0/8', '::1/128'],
      expires_at: '2099-01-31T12:00:00.000Z',
      idle_days: 30,
    })
    // No other page shows the secret, and a repeated form creates no second key.
    for (const path of [LIST, `${LIST}/${key!.id}`]) {
      const { html } = await client.get(path)
      assert.notInclude(html, secret)
      assert.include(html, secret.slice(0, 12))
    }
    const secondPage = await client.post(`${LIST}/new`, { ...form, once: page.hidden('once') })
    assert.deepEqual([secondPage.status, secondPage.location], [303, LIST])
    assert.lengthOf(await dataOf(as.get('/api-keys'), 'api_keys'), 2)
  })

  test('an invalid key gets an error, and the form keeps its values', async ({ assert }) => {
    const wrong: Record<string, string>[] = [
      { name: '' },
      { access: 'some' },
      { zone_scope: 'some' },
      { zone_scope: 'some', zones: 'nowhere.invalid' },
      { name_scope: 'some' },
      { name_scope: 'some', patterns: 'a..b TXT' },
      { name_scope: 'some', patterns: 'www.example.com NOTYPE' },
      { networks: '999.0.0.0/8' },
      { expires_at: '2001-01-01' },
      { expires_at: 'soon' },
      { idle_days: '0' },
      { name: 'x'.repeat(256) },
    ]
    for (const fields of wrong) {
      const networks = fields.networks ?? '198.51.100.0/24'
      const page = await client.post(`${LIST}/new`, { ...form, networks, ...fields })
      assert.equal(page.status, 422, JSON.stringify(fields))
      assert.include(page.html, 'role="alert"')
      assert.include(page.html, networks)
      assert.equal(secretOn(page), '')
    }
    assert.lengthOf(await dataOf(as.get('/api-keys'), 'api_keys'), 1)
  })

  test('a contradictory restriction is refused at its field, so that no key is wider than intended', async ({
    assert,
  }) => {
    const wrong: [fields: Record<string, string>, at: string, words: string][] = [
      [{ 'operations[]': 'view' }, 'access', 'Only these operations'],
      [{ 'access': 'read', 'operations[]': 'create' }, 'access', 'Only these operations'],
      [{ 'access': 'some', 'operations[]': 'nonsense' }, '', 'operations'],
      [{ networks: '192.0.2.0/24 999.0.0.0/8' }, 'networks', '999.0.0.0/8 is not a network'],
      [{ zones: zone.name }, 'zones', 'clear this field'],
      [{ zones: ',' }, 'zones', 'clear this field'],
      [{ 'found[]': zone.name }, 'zones', 'Only these zones'],
      [{ zone_q: zone.name }, 'zone_q', 'Only these zones'],
      [{ patterns: `www.${zone.name} TXT` }, 'patterns', 'Only these names'],
    ]
    const { id } = await keyFor(owner)
    const seen = await client.get(`${LIST}/${id}`)
    const tag = seen.hidden('tag')
    for (const path of [`${LIST}/new`, `${LIST}/${id}`]) {
      for (const [fields, at, words] of wrong) {
        const page = await client.post(path, { ...form, ...fields, tag }, { from: path })
        assert.equal(page.status, 422, JSON.stringify(fields))
        const [, told] = new RegExp(`id="field-${at}-more"[^>]*>([^<]*)`).exec(page.html) ?? []
        assert.include(at === '' ? page.html : told, words)
      }
      for (const [at, words] of [
        ['access', 'Select the permissions of the key.'],
        ['zone_scope', 'Choose all zones or only some.'],
        ['name_scope', 'Choose all names or only some.'],
      ]) {
        const given = Object.entries({ ...form, tag }).filter(([field]) => field !== at)
        const fields = Object.fromEntries(given)
        for (const sent of [fields, { ...fields, [at]: 'nonsense' }]) {
          const page = await client.post(path, sent, { from: path })
          assert.equal(page.status, 422)
          assert.match(page.html, new RegExp(`id="field-${at}-more"[^>]*>${words}`))
        }
      }
    }
    assert.isUndefined(await named('a key'))
  })

  test('a preset only fills the form', async ({ assert }) => {
    const page = await client.get(`${LIST}/new?preset=acme&names=${zone.name}`)
    assert.equal(page.status, 200)
    assert.include(page.html, `_acme-challenge.${zone.name} TXT`)
    assert.include(page.html, `_acme-challenge.**.${zone.name} TXT`)
    assert.lengthOf(await dataOf(as.get('/api-keys'), 'api_keys'), 1)
    for (const preset of ['dyndns', 'external_dns', 'monitoring', 'nonsense']) {
      assert.equal(await client.statusOf(`${LIST}/new?preset=${preset}`), 200)
    }
  })

  test('each preset creates the described key', async ({ assert }) => {
    const host = `home.${zone.name}`
    const whole = { read_only: false, zone_restricted: false, pattern_restricted: false }
    for (const [preset, names, expected] of [
      [
        'dyndns',
        host,
        {
          ...whole,
          pattern_restricted: true,
          patterns: [{ name: host, types: ['A', 'AAAA'] }],
        },
      ],
      ['external_dns', zone.name, { ...whole, zone_restricted: true, zones: [{ id: zone.id }] }],
      ['monitoring', '', { ...whole, read_only: true }],
      [
        'monitoring',
        zone.name,
        { ...whole, read_only: true, zone_restricted: true, zones: [{ id: zone.id }] },
      ],
    ] as const) {
      const page = await client.get(`${LIST}/new?preset=${preset}&names=${names}`)
      const chosen = (field: string) =>
        new RegExp(`name="${field}" value="(\\w+)" checked`).exec(page.html)?.[1] ?? ''
      const name = `${preset} ${names}`
      const created = await client.post(`${LIST}/new`, {
        ...form,
        name,
        once: page.hidden('once'),
        access: chosen('access'),
        zone_scope: chosen('zone_scope'),
        zones: page.typed('zones'),
        name_scope: chosen('name_scope'),
        patterns: page.typed('patterns'),
      })
      assert.equal(created.status, 200, name)
      assert.containsSubset(await named(name.trim()), expected)
    }
  })

  test('the zone search of the form works without scripts, and creates nothing', async ({
    assert,
  }) => {
    const foundPage = await client.post(`${LIST}/new`, { ...form, find: '1', zone_q: zone.name })
    assert.equal(foundPage.status, 200)
    assert.include(foundPage.html, `value="${zone.name}"`)
    assert.isUndefined(await named('a key'))
    const created = await client.post(`${LIST}/new`, {
      ...form,
      'zone_scope': 'some',
      'found[]': zone.name,
    })
    assert.equal(created.status, 200)
    const key = await named('a key')
    assert.deepEqual(
      key?.zones.map(({ id }) => id),
      [zone.id]
    )
  })

  test('a key is changed from the version that the form showed', async ({ assert }) => {
    const { id } = await keyFor(owner, { readOnly: true, zones: [zone] })
    const path = `${LIST}/${id}`
    const seen = await client.get(path)
    const fields = { ...form, name: 'mine', access: 'read', zone_scope: 'some', zones: zone.name }
    const saved = await client.post(path, { ...fields, tag: seen.hidden('tag') })
    assert.deepEqual([saved.status, saved.location], [303, path])
    assert.containsSubset(await named('mine'), { id, read_only: true, zones: [{ id: zone.id }] })
    const lateSubmission = await client.post(path, {
      ...fields,
      name: 'theirs',
      tag: seen.hidden('tag'),
    })
    assert.equal(lateSubmission.status, 412)
    assert.include(lateSubmission.html, 'value="theirs"')
    const now = lateSubmission.hidden('tag')
    const disabledPage = await client.post(`${path}/disable`, { tag: now }, { from: path })
    assert.equal(disabledPage.status, 303)
    const disabled = await named('mine')
    assert.isFalse(disabled?.enabled)
    const stalePage = await client.post(`${path}/enable`, { tag: now }, { from: path })
    assert.equal(stalePage.status, 412)
  })

  test('a key without any name stays restricted, and may be renamed', async ({ assert }) => {
    const { id } = await keyFor(owner, { patterns: [{ name: `www.${zone.name}`, types: null }] })
    const path = `${LIST}/${id}`
    const fields = { ...form, name_scope: 'some' }
    const page = await client.get(path)
    const emptied = await client.post(path, { ...fields, tag: page.hidden('tag') })
    assert.equal(emptied.status, 422)
    await as.put(`/api-keys/${id}`, { patterns: [], pattern_restricted: true })
    const seen = await client.get(path)
    const saved = await client.post(path, { ...fields, name: 'for none', tag: seen.hidden('tag') })
    assert.equal(saved.status, 303)
    const key = await named('for none')
    assert.containsSubset(key, { id, patterns: [], pattern_restricted: true })
  })

  test('zones of a key that its owner no longer sees stay', async ({ client: api, assert }) => {
    const admin = caller(api, await administrator())
    const otherZone = await createZone(admin, { name: zoneNamed() })
    const { id } = await keyFor(owner, { zones: [zone, otherZone] })
    const path = `${LIST}/${id}`
    const seen = await client.get(path)
    assert.notInclude(seen.html, otherZone.name)
    const fields = { ...form, zone_scope: 'some', zones: zone.name, tag: seen.hidden('tag') }
    const saved = await client.post(path, fields)
    assert.equal(saved.status, 303)
    const key: Key = await dataOf(admin.get(`/api-keys/${id}`), 'api_key')
    assert.sameMembers(
      key.zones.map((one) => one.id),
      [zone.id, otherZone.id]
    )
  })

  test('a new secret replaces the old one, and a deletion requires the checkbox', async ({
    client: api,
    assert,
  }) => {
    const { id, key: old } = await keyFor(owner)
    const path = `${LIST}/${id}`
    const refused = await client.post(`${path}/regenerate`, {}, { from: path })
    assert.equal(refused.status, 422)
    const shown = await client.get(path)
    const sure = { sure: '1', once: shown.hidden('once'), tag: shown.hidden('tag') }
    const freshPage = await client.post(`${path}/regenerate`, sure, { from: path })
    const status = async (key: string) => {
      const answer = await api.get('/api/v2/zones').header('x-api-key', key)
      return answer.status()
    }
    assert.deepEqual([await status(old), await status(secretOn(freshPage))], [401, 200])
    assert.notInclude(freshPage.html, 'in this state')
    const secondPage = await client.post(`${path}/regenerate`, sure, { from: path })
    assert.equal(secondPage.status, 303)
    assert.equal(await status(secretOn(freshPage)), 200)
    const unconfirmedPage = await client.post(`${path}/delete`, {}, { from: path })
    assert.equal(unconfirmedPage.status, 422)
    for (const what of ['regenerate', 'delete']) {
      const lateSubmission = await client.post(
        `${path}/${what}`,
        { ...sure, once: what },
        { from: path }
      )
      assert.equal(lateSubmission.status, 412)
      assert.include(lateSubmission.html, 'changed in the meantime')
    }
    assert.equal(await status(secretOn(freshPage)), 200)
    await as.post(`/api-keys/${id}/disable`, {})
    const disabledPage = await client.get(path)
    const seen = { sure: '1', once: disabledPage.hidden('once'), tag: disabledPage.hidden('tag') }
    const disabled = await client.post(`${path}/regenerate`, seen, { from: path })
    assert.include(disabled.html, 'in this state: disabled')
    const now = await client.get(path)
    const input = { sure: '1', tag: now.hidden('tag') }
    const deleted = await client.post(`${path}/delete`, input, { from: path })
    assert.deepEqual([deleted.status, deleted.location], [303, LIST])
    assert.equal(await client.statusOf(path), 404)
  })

  test('a form that is already being processed creates no second secret', async ({ assert }) => {
    const { id, key } = await keyFor(owner)
    const path = `${LIST}/${id}`
    const shown = await client.get(path)
    const once = 'sent-at-the-same-moment'
    const claim = { key: once, method: 'POST', path: '', body: '' }
    await claimIdempotencyKey({ ...claim, caller: `${owner.id}:form` })
    const input = { sure: '1', once, tag: shown.hidden('tag') }
    const secondPage = await client.post(`${path}/regenerate`, input, { from: path })
    assert.deepEqual([secondPage.status, secondPage.location], [303, path])
    const hash = hashKey(key)
    assert.lengthOf(await db.from('zw_api_keys').where({ id, secret_hash: hash }), 1)
    const created = await client.post(`${LIST}/new`, { ...form, name: 'once', once })
    assert.deepEqual([created.status, created.location], [303, LIST])
    assert.isUndefined(await named('once'))
  })

  test('of two windows only one creates a new secret', async ({ assert }) => {
    const { id } = await keyFor(owner)
    const path = `${LIST}/${id}`
    const shown = await client.get(path)
    const { token } = shown
    const tag = shown.hidden('tag')
    const pages = await Promise.all(
      ['one', 'two'].map((once) =>
        client.twin().post(`${path}/regenerate`, { sure: '1', once, tag }, { token })
      )
    )
    assert.sameMembers(
      pages.map(({ status }) => status),
      [200, 412]
    )
  })

  test('the limit of keys is shown and applied', async ({ assert }) => {
    const maximum = apiSettings.max_keys_per_user
    for (let held = 1; held < maximum; held++) await keyFor(owner)
    const list = await client.get(LIST)
    assert.equal(/\d+ of [^<]* used\./.exec(list.html)?.[0], `${maximum} of ${maximum} keys used.`)
    const full = await client.post(`${LIST}/new`, form)
    assert.equal(full.status, 409)
    assert.include(full.html, `at most ${maximum} are allowed`)
  })

  test('administrators see the keys of all users, others their own', async ({ assert }) => {
    const stranger = await person({ template: 'Zone Manager' })
    const visitor = await signedIn(stranger)
    assert.equal(await visitor.statusOf(`${LIST}/${owner.keyId}`), 404)
    const ownPage = await visitor.get(`${LIST}?of=all`)
    assert.equal(ownPage.status, 200)
    assert.notInclude(ownPage.html, `${LIST}/${owner.keyId}"`)
    const admin = await signedIn(await administrator())
    const theirs = await admin.get(`${LIST}?user=${owner.username}`)
    assert.include(theirs.html, `${LIST}/${owner.keyId}"`)
    assert.equal(await admin.statusOf(`${LIST}?of=all`), 200)
    const nobody = await signedIn(await person())
    assert.equal(await nobody.statusOf(LIST), 403)
    const start = await nobody.get('/')
    assert.notInclude(start.html, LIST)
  })

  test('names of keys are escaped', async ({ assert }) => {
    const name = `<img src=x onerror=alert(1)> "'&`
    const created = await client.post(`${LIST}/new`, { ...form, name })
    const key = await named(name)
    for (const page of [created, await client.get(LIST), await client.get(`${LIST}/${key!.id}`)]) {
      assert.isTrue(isEscaped(page.html))
      assert.include(page.html, '&lt;img src=x')
    }
  })
})
