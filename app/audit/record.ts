import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { detailText } from '#audit/detail'
import type { ActedEvent, AuditActor, AuditEvent } from '#audit/event'
import { chunks } from '#database/statements/chunks'

/** Maximum number of rows of one insert; each has twelve columns. */
const ROWS = 100

/**
 * Writes events into the audit log, in the transaction of the change. It reads nothing, and writers do not wait for each
 * other: the chain is created later (`sealer.ts`). Throws the error of the database.
 *
 * @param client the transaction of the change; a connection for events without one
 */
export async function record(
  client: QueryClientContract,
  actor: AuditActor,
  event: AuditEvent | AuditEvent[]
): Promise<void> {
  const events = Array.isArray(event) ? event : [event]
  await recordAll(
    client,
    events.map((one) => ({ actor, event: one }))
  )
}

/** The same for events of different actors. */
export async function recordAll(client: QueryClientContract, events: ActedEvent[]): Promise<void> {
  for (const part of chunks(events.map(rowOf), ROWS)) {
    await client.table('zw_audit').multiInsert(part)
  }
}

function rowOf({ actor, event: { action, object, outcome, detail, time } }: ActedEvent) {
  return {
    time: time ?? new Date().toISOString(),
    user_id: actor.userId,
    username: column(actor.username, 64),
    api_key_id: actor.key?.id ?? null,
    address: column(actor.address, 45),
    channel: actor.channel,
    action,
    object_kind: object?.kind ?? null,
    object_id: idColumn(object?.id ?? null),
    object_name: column(object?.name ?? null, 255),
    outcome: outcome ?? 'success',
    detail: detailText(detail ?? {}),
  }
}

/**
 * Returns an id that the column can store; otherwise null. Ids of URLs may have any number of
 * digits.
 */
function idColumn(id: number | null): number | null {
  return id !== null && Number.isInteger(id) && Math.abs(id) <= 2_147_483_647 ? id : null
}

/** Truncates a text to the length of its column, for every database. */
function column(text: string | null, length: number): string | null {
  return text === null
    ? null
    : [...text.toWellFormed().replaceAll('\0', '\uFFFD')].slice(0, length).join('')
}
