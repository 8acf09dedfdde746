import db from '@adonisjs/lucid/services/db'
import { refusedCalls } from '#audit/refused_calls'
import { GENESIS_POINT as GENESIS } from '#audit/chain'
import type { StoredEvent } from '#audit/entry'
import type { Person } from '#tests/support/app/people/people'

/** A stored event with its detail parsed from JSON. */
export type StoredAuditEvent = Omit<StoredEvent, 'id' | 'detail'> & {
  id: number
  detail: Record<string, unknown>
}

/** Returns the events with these column values, oldest first. Flushes buffered events of refused calls before. */
export async function eventsWith(columns: Record<string, unknown>): Promise<StoredAuditEvent[]> {
  await refusedCalls.flush()
  const rows = await db.from('zw_audit').where(columns).orderBy('id')
  return rows.map((row) => ({ ...row, id: Number(row.id), detail: JSON.parse(row.detail) }))
}

/** An event by its action, its object as `kind:id:name`, and its detail. */
export type EventSummary = [action: string, object: string, detail: Record<string, unknown>]

/**
 * Returns the events that `work` adds for this user, in order. Throws if an event has another user, key, address, channel
 * or outcome.
 */
export async function eventsBy(
  { id, username, keyId }: Pick<Person, 'id' | 'username' | 'keyId'>,
  work: () => PromiseLike<unknown>
): Promise<EventSummary[]> {
  const before = await eventsWith({ username })
  await work()
  const events = await eventsWith({ username })
  const signature = JSON.stringify([id, keyId, '127.0.0.1', 'api', 'success'])
  return events.slice(before.length).map((event) => {
    const { user_id: by, api_key_id: key, address, channel, outcome } = event
    if (JSON.stringify([by, key, address, channel, outcome]) !== signature) {
      throw new Error(`Not what ${username} did: ${JSON.stringify(event)}`)
    }
    const { object_kind: kind, object_id: objectId, object_name: name } = event
    return [event.action, `${kind}:${objectId}:${name}`, event.detail]
  })
}

/** Empties the audit log and resets it to the state of a new installation. */
export async function emptyLog(): Promise<void> {
  await refusedCalls.flush()
  await db.from('zw_audit').delete()
  await db.from('zw_audit_chain').delete()
  const { position, hash } = GENESIS
  const nothing = { position, hash, anchor_position: position, anchor_hash: hash, mac: null }
  await db.from('zw_audit_head').delete()
  await db.table('zw_audit_head').insert({ id: 1, ...nothing })
}
