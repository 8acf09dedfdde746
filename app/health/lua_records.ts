import db from '@adonisjs/lucid/services/db'
import { configuredClient } from '#backends/powerdns_api/configured'
import { PowerDnsNameServer } from '#backends/powerdns_api/name_server'
import dns from '#config/dns'

/** Maximum number of zones in a report. */
const MAX_ZONES = 5

/** The type in both stored forms, by mnemonic and by number (RFC 3597, 5). */
const TYPES = ['LUA', 'TYPE65402']

/** Report on LUA records, which run code on the name server. */
export interface LuaReport {
  /** Whether the name server runs LUA records of every zone; null if unknown. */
  isOn: boolean | null
  /** Names of some zones with LUA records and without an administrator as owner. */
  zones: string[]
  /** Whether more such zones exist. */
  isMore: boolean
}

/**
 * Searches for LUA records in zones of users who are no administrators: their primary may have sent them. The setting
 * `enable-lua-records` of the server, or metadata of the zone, decides whether they run.
 */
export async function luaReport(): Promise<LuaReport> {
  const client = configuredClient()
  const isOn = client.isConfigured ? await new PowerDnsNameServer(client).runsLua() : null
  const prefix = dns.backend === 'api' ? 'zw_mirror_' : ''
  const [table, records] = [prefix ? `${prefix}zones` : 'domains', `${prefix}records`]
  const rows: { name: string }[] = await db
    .from('zw_zones as own')
    .join(`${table} as z`, 'z.id', 'own.id')
    .where((owned) => owned.whereExists(ownersOf('user')).orWhereExists(ownersOf('group')))
    .whereExists(
      db
        .from(`${records} as r`)
        .whereColumn('r.domain_id', 'own.id')
        .whereIn('r.type', TYPES)
        .select(db.raw('1'))
    )
    .orderBy('own.name')
    .limit(MAX_ZONES + 1)
    .select('own.name')
  const names = rows.map(({ name }) => name)
  return { isOn, zones: names.slice(0, MAX_ZONES), isMore: names.length > MAX_ZONES }
}

/** Owners of the zone without the rights of an administrator. */
function ownersOf(kind: 'user' | 'group') {
  const [owners, id, table] =
    kind === 'user'
      ? ['zw_zone_owners', 'user_id', 'zw_users']
      : ['zw_zone_groups', 'group_id', 'zw_groups']
  return db
    .from(`${owners} as o`)
    .join(`${table} as who`, 'who.id', `o.${id}`)
    .whereColumn('o.zone_id', 'own.id')
    .whereNotExists(
      db
        .from('zw_permission_template_items as i')
        .join('zw_permissions as p', 'p.id', 'i.permission_id')
        .whereColumn('i.template_id', 'who.permission_template_id')
        .where('p.name', 'user_is_ueberuser')
        .select(db.raw('1'))
    )
    .select(db.raw('1'))
}
