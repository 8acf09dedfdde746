import type { DnsBackend } from '#backends/contract/backend'
import type { Violation } from '#dns/rules/violation'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRsetChange } from '#dns/types'

/** A planned or written zone of a change set. */
export interface ChangedZone {
  /** null for a new zone of a plan. */
  id: number | null
  name: string
  changes: RRsetChange[]
  /** Metadata after the change, by kind; only the kinds that the change set names. */
  metadata: Metadata
}

const ENABLE_LUA_KIND = 'ENABLE-LUA-RECORDS'

/**
 * Warnings about new LUA records that the name server does not run: neither its setting
 * `enable-lua-records` nor the metadata of the zone enables them. Without an API to query, the
 * warning says so. No query for other types.
 */
export async function luaWarnings(backend: DnsBackend, zone: ChangedZone): Promise<Violation[]> {
  const written = zone.changes.filter(
    ({ type, after }) => type === 'LUA' && after?.records.some(({ disabled }) => !disabled)
  )
  if (written.length === 0 || (await isEnabledForZone(backend, zone))) {
    return []
  }
  const runsLua = backend.nameServer?.runsLua
  const isLuaEnabled = runsLua ? await runsLua.call(backend.nameServer) : undefined
  // Enabled for all zones, or unknown.
  if (isLuaEnabled === true || isLuaEnabled === null) {
    return []
  }
  const remedy = `set enable-lua-records=yes in pdns.conf, or the metadata ${ENABLE_LUA_KIND} of the zone to 1`
  const [rule, message] =
    isLuaEnabled === false
      ? [
          'lua-disabled',
          `the name server does not run LUA records, so it does not answer; ${remedy}`,
        ]
      : ['lua-depends', `only name servers that run LUA records answer; ${remedy}`]
  return written.map(({ name, type }) => ({
    rule,
    severity: 'warning',
    name,
    type,
    message: `${name} ${type}: ${message} (PowerDNS manual, "Lua Records")`,
  }))
}

/** Whether the metadata of the zone enable LUA records. */
async function isEnabledForZone(
  backend: DnsBackend,
  { id, metadata }: ChangedZone
): Promise<boolean> {
  const requested = metadata[ENABLE_LUA_KIND]
  if (requested) return requested[0] === '1'
  const zone = id === null ? null : await backend.findZone(id)
  const stored = zone ? await backend.metadataOf(zone) : {}
  return stored[ENABLE_LUA_KIND]?.[0] === '1'
}
