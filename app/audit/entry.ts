import type { Json } from '#audit/canonical_json'

/**
 * A row of zw_audit with its link of the chain. The type of number columns depends on the driver.
 */
export interface StoredEvent {
  id: number | string
  time: string
  user_id: number | null
  username: string | null
  api_key_id: number | null
  address: string | null
  channel: string
  action: string
  object_kind: string | null
  object_id: number | null
  object_name: string | null
  outcome: string
  detail: string
}

/** An event in answers and as it is sealed. */
export interface AuditEntry {
  id: number
  time: string
  actor: {
    user_id: number | null
    username: string | null
    api_key_id: number | null
    address: string | null
    channel: string
  }
  action: string
  object: { kind: string | null; id: number | null; name: string | null } | null
  outcome: string
  /** A value that is no object was not written by Zonewright. */
  detail: Json
}

/** The event of a row. A detail that is not valid JSON is returned as text. */
export function entryOf(row: StoredEvent): AuditEntry {
  const { object_kind: kind, object_id: id, object_name: name } = row
  return {
    id: Number(row.id),
    time: row.time,
    actor: {
      user_id: row.user_id,
      username: row.username,
      api_key_id: row.api_key_id,
      address: row.address,
      channel: row.channel,
    },
    action: row.action,
    object: kind === null && id === null && name === null ? null : { kind, id, name },
    outcome: row.outcome,
    detail: jsonOf(row.detail),
  }
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
