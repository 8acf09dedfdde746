import db from '@adonisjs/lucid/services/db'
import { caller, expectStatus } from '#tests/support/app/api'
import type { ApiClient } from '@japa/api-client'
import { addTemplateRecord } from '#tests/support/app/zones/zone_templates'
import type { World } from '#tests/support/browser/every_page'
import { MIRA } from '#tests/support/browser/every_world'
import {
  hostile,
  storeAnswers,
  storeForeignRows,
  storeReview,
  type At,
} from '#tests/support/browser/hostile_rows'

/** Text columns of the rows of a world: table, row, columns. */
function textsOf(fixtures: World): [table: string, where: object, ...columns: string[]][] {
  return [
    ['zw_users', { id: fixtures.user }, 'username', 'fullname', 'email', 'description'],
    ['zw_groups', { id: fixtures.group }, 'name', 'description'],
    ['zw_permission_templates', { id: fixtures.template }, 'name', 'description'],
    ['zw_zone_templates', { id: fixtures.zoneTemplate }, 'name', 'description'],
    ['zw_api_keys', { id: fixtures.apiKey }, 'name'],
    ['zw_webhooks', { id: fixtures.webhook }, 'name', 'url', 'created_by'],
    ['zw_change_requests', { id: fixtures.request }, 'requester_name', 'request_comment', 'error'],
    ['zw_zone_template_records', { id: fixtures.templateRecord }, 'name', 'content'],
    ['zw_trash', { id: fixtures.deleted }, 'username', 'zone_name'],
    ['zw_zones', { id: fixtures.zone }, 'description'],
    ['zw_journal', { zone_id: fixtures.zone, entry: 2 }, 'username', 'reason'],
    ['zw_job_runs', { job: 'api-keys:expire' }, 'node', 'requested_by', 'output'],
    ['supermasters', { nameserver: 'ns.every-page.test' }, 'account'],
  ]
}

/**
 * Puts markup into every text that can be stored: over the API if the API validates the text, otherwise directly in the
 * database.
 *
 * @returns marks by the place of their texts, and addresses of additional pages
 */
export async function storeHostileTexts(
  client: ApiClient,
  fixtures: World
): Promise<{ marks: Map<string, string>; pages: string[] }> {
  const as = caller(client, { key: fixtures.key })
  const marks = new Map<string, string>()
  const at: At = (place) => {
    const mark = `#${marks.size + 1}#`
    marks.set(place, mark)
    return hostile(mark)
  }
  for (const [table, where, ...columns] of textsOf(fixtures)) {
    const texts = columns.map((column) => [column, at(`${table}.${column}`)])
    await db.from(table).where(where).update(Object.fromEntries(texts))
  }
  const quoted = (place: string) => `"${at(place).replaceAll('"', '\\"')}"`
  const { name } = await db.from('zw_zones').where('id', fixtures.zone).firstOrFail()
  const added = {
    op: 'add',
    name: `hostile.${name}`,
    type: 'TXT',
    records: [{ content: quoted('TXT'), comment: at('comment') }],
  }
  await expectStatus(as.post('/changes', { reason: at('reason'), actions: [added] }), 201)
  await addTemplateRecord(as, fixtures.zoneTemplate, 'hostile', 'TXT', quoted('template TXT'))
  const comment = { text: at('request comment') }
  await expectStatus(as.post(`/change-requests/${fixtures.request}/comments`, comment), 201)
  await db.table('domainmetadata').insert({
    domain_id: fixtures.zone,
    kind: 'X-HOSTILE',
    content: at('metadata'),
  })
  await storeOtherTexts(fixtures, at)
  await storeReview(fixtures, at)
  const pages = [...(await storeForeignRows(fixtures, at)), ...(await storeAnswers(fixtures, at))]
  return { marks, pages }
}

/** Stores texts that do not come over the API: saved views, and the names that a device and a browser send of themselves. */
async function storeOtherTexts(fixtures: World, at: At): Promise<void> {
  const now = new Date().toISOString()
  const { id: mira } = await db.from('zw_users').where('username', MIRA.username).firstOrFail()
  await db.table('zw_saved_views').insert({
    user_id: mira,
    name: at('zw_saved_views.name'),
    query: `q=${at('zw_saved_views.query')}`,
    created_at: now,
  })
  const { name } = await db.from('zw_zones').where('id', fixtures.zone).firstOrFail()
  await db.table('zw_dyndns_clients').insert({
    hostname: `device.${name}`,
    zone_id: fixtures.zone,
    zone_name: name,
    first_seen_at: now,
    last_seen_at: now,
    last_code: 'good',
    client_address: at('zw_dyndns_clients.client_address'),
    user_agent: at('zw_dyndns_clients.user_agent'),
    username: at('zw_dyndns_clients.username'),
    channel: 'dyndns',
    ipv4: '192.0.2.1',
    refused_at: now,
    refused_address: at('zw_dyndns_clients.refused_address'),
    refused_agent: hostile('agent'),
    requests: 1,
    changes: 0,
    recent_changes: '[]',
  })
  // Pages show the name of a known browser, but no other part of its user agent.
  await db.from('zw_sessions').update({ agent: `Firefox/1 ${hostile('browser')}` })
  const address = at('zw_sessions.address')
  await db.from('zw_sessions').where('user_id', mira).update({ address })
}
