import db from '@adonisjs/lucid/services/db'
import type { World } from '#tests/support/browser/every_page'

/**
 * A text that would break out of an attribute and run a script if it were not escaped. It ends with its mark, and is short
 * because some columns are.
 */
export const hostile = (mark: string) => `'"><img src=x onerror=ran()>${mark}`

/** Returns a hostile text for a place, and stores the mark that identifies it on a page. */
export type At = (place: string) => string

/** A row of PowerDNS' records table, as other tools write it. */
const recordRow = (zone: number, name: string, type: string, content: string) => ({
  domain_id: zone,
  name,
  type,
  content,
  ttl: 300,
  prio: 0,
  disabled: false,
  auth: true,
})

/**
 * Stores rows that another tool could write into the tables of PowerDNS without validation: names, types and contents of
 * records, a whole zone, kinds of metadata, autoprimaries.
 *
 * @returns addresses of the pages that show these rows
 */
export async function storeForeignRows(fixtures: World, at: At): Promise<string[]> {
  const { name: known } = await db.from('domains').where('id', fixtures.zone).firstOrFail()
  // SQLite accepts any text. Other databases limit types to ten characters, too few for a script, and may check addresses.
  const isAnyText = db.connection().dialect.name === 'better-sqlite3'
  const type = isAnyText ? at('records.type') : `'"><b>&lt;`
  await db
    .table('records')
    .multiInsert([
      recordRow(fixtures.zone, `${at('records.name')}.${known}`, 'A', '192.0.2.1'),
      recordRow(fixtures.zone, `type.${known}`, type, '192.0.2.1'),
      recordRow(fixtures.zone, `content.${known}`, 'A', at('records.content')),
    ])
  const row = { domain_id: fixtures.zone, kind: at('domainmetadata.kind'), content: '1' }
  await db.table('domainmetadata').insert(row)
  const name = `${at('domains.name')}.test`
  const master = at('domains.master')
  await db.table('domains').insert({ name, type: 'SLAVE', master, account: at('domains.account') })
  const { id } = await db.from('domains').where('name', name).firstOrFail()
  const soa = `ns1.${at('SOA')} hostmaster.${name} 1 2 3 4 5`
  await db
    .table('records')
    .multiInsert([
      recordRow(id, name, 'SOA', soa),
      recordRow(id, `www.${name}`, 'A', at('records.content of a foreign zone')),
    ])
  const ip = isAnyText ? at('supermasters.ip') : '192.0.2.77'
  const nameserver = at('supermasters.nameserver')
  await db.table('supermasters').insert({ ip, nameserver, account: 'somebody' })
  const autoprimary = new URLSearchParams({ ip, nameserver })
  const parts = ['', '/settings', '/owners', '/delete', '/history', '/text', '/metadata', '/dnssec']
  const more = ['/clone', '/import', '/ptr', '/wizards', '/wizards/spf', '/save-template']
  return [
    ...[...parts, ...more].map((part) => `/zones/${id}${part}`),
    `/server/autoprimaries/edit?${autoprimary}`,
    `/search?q=${encodeURIComponent('zone:*img* onerror')}`,
  ]
}

/** Stores the results of a review: reviewer, approvals and comments. */
export async function storeReview(fixtures: World, at: At): Promise<void> {
  const now = new Date().toISOString()
  await db
    .from('zw_change_requests')
    .where('id', fixtures.request)
    .update({
      reviewer_id: 1,
      reviewed_at: now,
      reviewer_name: at('zw_change_requests.reviewer_name'),
      review_comment: at('zw_change_requests.review_comment'),
    })
  await db.table('zw_change_request_approvals').insert({
    request_id: fixtures.request,
    user_id: 1,
    username: at('zw_change_request_approvals.username'),
    comment: at('zw_change_request_approvals.comment'),
    created_at: now,
  })
  await db
    .from('zw_change_request_comments')
    .where('request_id', fixtures.request)
    .update({ username: at('zw_change_request_comments.username') })
}

/**
 * Stores responses of other servers to calls and webhook messages, and an audit event.
 *
 * @returns addresses of the pages that show them
 */
export async function storeAnswers(fixtures: World, at: At): Promise<string[]> {
  const now = new Date().toISOString()
  await db.table('zw_outbox').insert({
    kind: 'flush',
    zone_name: at('zw_outbox.zone_name'),
    created_at: now,
    next_at: now,
    done_at: now,
    attempts: 3,
    last_error: at('zw_outbox.last_error'),
  })
  await db
    .from('zw_webhooks')
    .where('id', fixtures.webhook)
    .update({ enabled: false, failures: 3, last_error: at('zw_webhooks.last_error') })
  await db.table('zw_webhook_deliveries').insert({
    webhook_id: fixtures.webhook,
    position: 1_000_000,
    type: at('zw_webhook_deliveries.type'),
    zone_id: 0,
    body: JSON.stringify({ text: at('zw_webhook_deliveries.body') }),
    state: 'given_up',
    attempts: 3,
    next_at: now,
    ended_at: now,
    created_at: now,
    status: 500,
    error: at('zw_webhook_deliveries.error'),
  })
  await db.table('zw_audit').insert({
    time: now,
    username: at('zw_audit.username'),
    address: at('zw_audit.address'),
    channel: 'web',
    action: 'group.updated',
    object_kind: 'group',
    object_id: fixtures.group,
    object_name: at('zw_audit.object_name'),
    outcome: 'success',
    detail: JSON.stringify({ [at('a field of zw_audit.detail')]: at('zw_audit.detail') }),
  })
  const { id } = await db
    .from('zw_audit')
    .where('action', 'group.updated')
    .orderBy('id', 'desc')
    .firstOrFail()
  return [`/audit/${id}`, '/audit']
}
