import { randomInt } from 'node:crypto'
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { baseUrl, caller, createZone, dataOf } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { accountScene } from '#tests/functional/recordings/account_scene'
import * as accounts from '#tests/functional/recordings/accounts'
import type { Exchange } from '#tests/functional/recordings/exchange'
import * as records from '#tests/functional/recordings/records'
import * as sets from '#tests/functional/recordings/sets'
import * as transport from '#tests/functional/recordings/transport'
import * as users from '#tests/functional/recordings/users'
import * as zones from '#tests/functional/recordings/zones'

/** Values of the placeholders `{...}` in the table. */
type Names = Record<string, string | number>

const fill = (text: string, names: Names) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(names[name] ?? whole))

/** Returns the type of each member recursively. A list has the type of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.slice(0, 1).map(shapeOf)
  }
  if (value === null || typeof value !== 'object') {
    return value === null ? 'null' : typeof value
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item)]))
}

/** Creates the objects and values of the recorded calls. */
async function setTheScene(client: ApiClient, admin: Person): Promise<Names> {
  const as = caller(client, admin)
  const zone = await createZone(as, { name: zoneNamed() })
  const slave = await createZone(as, { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1' })
  const path = `/zones/${zone.id}/records`
  const ids: Names = {}
  for (const [key, body] of Object.entries({
    www: { name: 'www', type: 'A', content: '192.0.2.10', ttl: 3600 },
    alias: { name: 'alias', type: 'CNAME', content: 'www.example.net' },
    mx: { name: '@', type: 'MX', content: 'mail.example.net', priority: 10, ttl: 600 },
  })) {
    ids[key] = await dataOf(as.post(path, body), 'record.id')
  }
  const { id: groupId } = await createTeam([])
  const joe = await person()
  const joesMail = `${joe.username}@example.com`
  await as.put(`/users/${joe.id}`, { email: joesMail })
  const owner = await person()
  await createZone(as, { name: zoneNamed(), owner_user_id: owner.id })
  const third = randomInt(256)
  const second = randomInt(16, 32)
  await as.post('/zones', { name: `${third}.${second}.172.in-addr.arpa` })
  return {
    ...ids,
    net: `172.${second}.${third}`,
    zone: zone.id,
    name: zone.name,
    slave: slave.id,
    slavename: slave.name,
    group: groupId,
    joe: joe.id,
    joename: joe.username,
    joemail: joesMail,
    joekey: joe.key,
    owner: owner.id,
    admin: admin.id,
    adminname: admin.username,
    free: zoneNamed('free').slice(0, -'.test'.length),
  }
}

async function send({ key }: Person, exchange: Exchange, names: Names) {
  const [method, path, body, headers = {}] = exchange.request
  const filled = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, fill(value, names)])
  )
  const credentials: Record<string, string> = exchange.anonymous ? {} : { 'x-api-key': key }
  return fetch(baseUrl() + fill(path, names), {
    method,
    headers: { ...credentials, ...filled },
    ...(body === undefined ? {} : { body: new TextEncoder().encode(fill(body, names)) }),
  })
}

/** Removes warnings of a success, which are additions to the recording. */
function withoutWarnings(body: { data?: { warnings?: unknown } | null }): unknown {
  const data: { warnings?: unknown } = { ...body.data }
  delete data.warnings
  return body.data && !Array.isArray(body.data) ? { ...body, data } : body
}

/** Exchanges that need more users than others. */
const ABOUT_ACCOUNTS = new Set([...accounts.PEER, ...accounts.OURS])

async function check(client: ApiClient, admin: Person, exchange: Exchange) {
  const names = {
    ...(await setTheScene(client, admin)),
    ...(ABOUT_ACCOUNTS.has(exchange) ? await accountScene(client, admin) : {}),
  }
  const response = await send(admin, exchange, names)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return {
    status: response.status,
    shape: isJson && text !== '' ? shapeOf(withoutWarnings(JSON.parse(text))) : text,
  }
}

const ALL = [transport, zones, records, sets, users, accounts]

for (const [title, exchanges] of [
  ['As the recorded peer', ALL.flatMap(({ PEER }) => PEER)],
  ['Other than the recorded peer', ALL.flatMap(({ OURS }) => OURS)],
] as const) {
  test.group(title, (group) => {
    let admin: Person
    group.setup(async () => {
      admin = await administrator()
    })

    for (const exchange of exchanges) {
      const why = exchange.because ? `, because ${exchange.because}` : ''
      test(`${exchange.what} answers ${exchange.status}${why}`, async ({ client, assert }) => {
        const { status, shape } = await check(client, admin, exchange)
        assert.equal(status, exchange.status, JSON.stringify(shape))
        assert.deepEqual(shape, exchange.shape)
      })
    }
  })
}
