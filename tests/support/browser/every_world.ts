import db from '@adonisjs/lucid/services/db'
import type { ApiClient } from '@japa/api-client'
import { maintainer } from '#access/actor'
import { PERMISSIONS } from '#access/permissions'
import { seedIdentity } from '#accounts/seed'
import { createUser } from '#accounts/users/named_users'
import { createApiKey } from '#accounts/keys/api_keys'
import { commandOptions } from '#accounts/terms'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { createChangeRequest } from '#tests/support/app/review'
import type { SigningServer } from '#tests/support/app/zones/signing'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import type { World } from '#tests/support/browser/every_page'

/** The user who visits every page. */
export const MIRA = { username: 'mira', password: 'a-long-password-of-mira' }

const KEY_TEXT = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAv3bzh5rabT+IWegVAoGnpe8Zt'

type Line = [name: string, type: string, content: string, priority?: number]

const MAIN: Line[] = [
  ['@', 'NS', 'ns1.example.net'],
  ['@', 'NS', 'ns2.example.net'],
  ['@', 'A', '203.0.113.10'],
  ['@', 'AAAA', '2001:db8:5::10'],
  ['@', 'MX', 'mail.lighthouse.example', 10],
  ['@', 'MX', 'relay.example.net', 20],
  ['@', 'TXT', '"v=spf1 mx -all"'],
  ['@', 'CAA', '0 issue "letsencrypt.org"'],
  ['_dmarc', 'TXT', '"v=DMARC1; p=quarantine; rua=mailto:reports@lighthouse.example"'],
  ['_sip._tcp', 'SRV', '20 5060 phone.lighthouse.example', 10],
  ['mail', 'A', '203.0.113.25'],
  ['mail2026._domainkey', 'TXT', `"v=DKIM1; k=rsa; p=${KEY_TEXT.repeat(3)}"`],
  ['phone', 'A', '203.0.113.30'],
  ['shop', 'CNAME', 'www.lighthouse.example'],
  ['www', 'A', '203.0.113.10'],
  ['www', 'AAAA', '2001:db8:5::10'],
  [
    'a-rather-long-name-of-a-host.in-a-part-of-the-zone.that-somebody-named-with-care',
    'A',
    '203.0.113.77',
  ],
]

const create = ([name, type, content, priority]: Line) => ({
  action: 'create',
  name,
  type,
  content,
  ttl: 3_600,
  ...(priority === undefined ? {} : { priority }),
})

/** Creates a user with an API key. */
async function somebody(
  { username, password }: typeof MIRA,
  fullname: string,
  template: string,
  active = true
) {
  const email = fullname === '' ? null : `${username}@lighthouse.example`
  const account = { username, password, email, active, template, groups: [] }
  const { id } = await createUser(account, maintainer())
  await db.from('zw_users').where('id', id).update({ fullname })
  return id
}

const keyOf = (username: string, name: string, overrides: object = {}) =>
  createApiKey(
    { username, name, readOnly: false, operations: [], zones: [], expiresAt: null, ...overrides },
    commandOptions(maintainer())
  )

async function idOf(table: string, column: string, value: string): Promise<number> {
  const row: { id: number } = await db.from(table).where(column, value).firstOrFail()
  return Number(row.id)
}

/** Creates users with different permissions. */
async function createPeople(as: Caller) {
  const asks = ['zone_content_view_own', 'zone_change_request_own', 'search'] as const
  const template = await dataOf(
    as.post('/permission-templates', {
      name: 'Asks for changes',
      descr: 'Sees own zones, and asks those who own them',
      permissions: asks.map((name) => PERMISSIONS[name].id),
    }),
    'id'
  )
  const of = (username: string) => ({ username, password: `a-long-password-of-${username}` })
  const jonas = await somebody(of('jonas'), 'Jonas Weber', 'Zone Manager')
  const amara = await somebody(of('amara'), 'Amara Okafor', 'Asks for changes')
  await somebody(of('tomas'), 'Tomás Herrera', 'Viewer')
  await somebody(of('service-account-of-the-hosting-team-and-its-robots'), '', 'Guest', false)
  const group = await dataOf(
    as.post('/groups', {
      name: 'Web hosting',
      perm_templ_id: await idOf('zw_permission_templates', 'name', 'Editors'),
      description: 'Everybody who looks after the web servers',
    }),
    'group.id'
  )
  for (const id of [jonas, amara]) {
    await expectStatus(as.post(`/groups/${group}/members`, { user_id: id }), 201)
  }
  return { jonas, amara, template, group }
}

/** Creates zones of many types. The first is the zone of the pages about one zone. */
async function createZones(as: Caller, { jonas, amara }: { jonas: number; amara: number }) {
  const own = (name: string, members: object = {}) => createZone(as, { name, ...members })
  const zone = await own('lighthouse.example', { type: 'MASTER', owner_user_id: jonas })
  const harbour = await own('harbour.example', { type: 'NATIVE', owner_user_id: amara })
  await own('ferries.example', { type: 'MASTER', owner_user_id: jonas })
  await own('xn--kste-0ra.example', { type: 'NATIVE' })
  await own('partners.example', { type: 'SLAVE', master: '198.51.100.53', owner_user_id: jonas })
  await own('113.0.203.in-addr.arpa', { type: 'NATIVE', owner_user_id: jonas })
  await own('a-zone-of-a-rather-long-name.of-the-department-of-ferries-and-harbours.example')
  const ended = await own('old-campaign.example')
  await as.delete(`/zones/${ended.id}`)
  return { zone, harbour, ended }
}

/** Creates history entries of a zone by several users. */
async function createHistory(as: Caller, asJonas: Caller, zone: { id: number }): Promise<number> {
  const path = `/zones/${zone.id}/records`
  await expectStatus(
    as.post(`${path}/bulk`, {
      operations: MAIN.map(create),
      comment: 'Moved here from the old server',
    }),
    200
  )
  await expectStatus(
    asJonas.post(path, {
      ...{ name: 'status', type: 'A', content: '203.0.113.40', ttl: 300 },
      reason: 'The status page has a machine of its own',
    }),
    201
  )
  const record = await dataOf(
    asJonas.post(path, { name: 'beta', type: 'A', content: '203.0.113.41', ttl: 300 }),
    'record.id'
  )
  return record
}

/** Creates job runs, a webhook and an autoprimary. */
async function createOperations(as: Caller): Promise<number> {
  const now = Date.now()
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
  const runs = ['audit:prune', 'sessions:prune', 'api-keys:expire', 'outbox:work']
  await db.table('zw_job_runs').multiInsert(
    runs.map((job, index) => ({
      job,
      due_at: at(20 * index + 9),
      cause: 'schedule',
      outcome: index === 3 ? 'failed' : 'succeeded',
      missed: 0,
      node: 'dns-admin-1',
      started_at: at(20 * index + 9),
      ended_at: at(20 * index + 8),
      exit_code: index === 3 ? 1 : 0,
      output: index === 3 ? '2 calls are overdue by more than an hour' : 'Nothing to do',
    }))
  )
  await db.table('supermasters').insert({
    ip: '192.0.2.99',
    nameserver: 'ns.every-page.test',
    account: '',
  })
  const url = 'https://hooks.lighthouse.example/dns-changes'
  return dataOf(as.post('/webhooks', { name: 'Chat of the team', url }), 'webhook.id')
}

/** Creates one object of each kind that has a page. */
export async function createWorld(client: ApiClient, server: SigningServer): Promise<World> {
  await seedIdentity()
  await somebody(MIRA, 'Mira Lindqvist', 'Administrator')
  const { key } = await keyOf('mira', 'Script of the office')
  const as = caller(client, { key })
  const people = await createPeople(as)
  const { zone, harbour, ended } = await createZones(as, people)
  const asJonas = caller(client, await keyOf('jonas', 'Deployment'))
  const record = await createHistory(as, asJonas, zone)
  await as.post(`/groups/${people.group}/zones`, { zone_id: zone.id })
  await server.call(key, 'POST', `/zones/${zone.id}/dnssec`, { enabled: true })
  const keys = await server.call(key, 'GET', `/zones/${zone.id}/dnssec/keys`)
  const zoneTemplate = await createZoneTemplate(as, {
    name: 'Web hosting',
    description: 'Web and mail on the machines of the team',
    is_global: true,
  })
  const zones = [{ id: zone.id, name: zone.name }]
  const { id: apiKey } = await keyOf('mira', `Certificates of ${zone.name}`, { zones })
  await keyOf('mira', 'Monitoring', { readOnly: true, networks: ['192.0.2.0/24'] })
  const webhook = await createOperations(as)
  const asAmara = caller(client, await keyOf('amara', 'Laptop'))
  const change = { name: 'www', type: 'A', content: '203.0.113.80', ttl: 300 }
  const request = await createChangeRequest(asAmara, harbour, { op: 'add', record: change })
  const { id: event } = await db.from('zw_audit').orderBy('id', 'desc').firstOrFail()
  return {
    key,
    zone: zone.id,
    record: String(record),
    keyId: keys.body.data[0].id,
    deleted: await idOf('zw_trash', 'zone_name', ended.name),
    user: people.jonas,
    group: people.group,
    template: people.template,
    zoneTemplate,
    templateRecord: await addTemplateRecord(as, zoneTemplate, 'www', 'A', '203.0.113.10'),
    apiKey,
    request,
    webhook,
    event: Number(event),
  }
}

/** Deletes what would disturb other tests. */
export async function endWorld(): Promise<void> {
  await db.from('supermasters').where('nameserver', 'ns.every-page.test').delete()
  await db.from('zw_webhooks').delete()
  await db.from('zw_job_runs').delete()
}
