import type api from '#config/api'
import type approval from '#config/approval'
import type dnssec from '#config/dnssec'
import type dyndns from '#config/dyndns'
import type events from '#config/events'
import type health from '#config/health'
import type history from '#config/history'
import type interfaceSettings from '#config/interface'
import type logging from '#config/logging'
import type pdnsApi from '#config/pdns_api'
import type permissions from '#config/permissions'
import type security from '#config/security'
import type dns from '#settings/dns'
import { registry } from '#settings/define'

/** Sections whose settings are read at each use. Other settings need their own server (`OtherServer`). */
interface Sections {
  api: typeof api
  approval: typeof approval
  dns: typeof dns
  dnssec: typeof dnssec
  dyndns: typeof dyndns
  events: typeof events
  health: typeof health
  history: typeof history
  interface: typeof interfaceSettings
  logging: typeof logging
  pdns_api: typeof pdnsApi
  permissions: typeof permissions
  security: typeof security
}

type Changed<V> = V extends readonly unknown[]
  ? V
  : V extends object
    ? { [K in keyof V]?: Changed<V[K]> }
    : V

/** Settings that a test changes, by section and name as in `config/`. */
export type SettingChanges = { [S in keyof Sections]?: Changed<Sections[S]> }

/** Settings that are read once, at the start of the process. */
const READ_AT_START = ['dyndns.enabled', 'interface.web_enabled']

/** Changes that are not restored yet, the newest at the end. */
const inForce: object[] = []

function flat(changes: object, path = ''): [key: string, value: unknown][] {
  return Object.entries(changes).flatMap(([name, value]: [string, unknown]) => {
    const isSection = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isSection
      ? flat(value, `${path}${name}.`)
      : ([[path + name, value]] as [string, unknown][])
  })
}

/**
 * Changes settings of this process and returns the function that restores them, for `group.setup` and `cleanup`. Changes
 * may be nested, but must not overlap in another way. Throws for a setting that is not declared, is read once, or does not
 * allow the value.
 */
export function changeSettings(changes: SettingChanges): () => void {
  const settings = new Map(registry.all().map((entry) => [entry.key, entry]))
  const changed = flat(changes).map(([key, value]) => {
    const entry = settings.get(key)
    if (!entry) throw new Error(`There is no setting ${key}`)
    if (READ_AT_START.includes(key)) throw new Error(`${key} is read when the process starts`)
    const read = entry.setting.fromFile(value)
    if (!read) throw new Error(`${key} allows ${entry.setting.allowed}`)
    return { entry, before: { value: entry.value, source: entry.source }, after: read }
  })
  for (const { entry, after } of changed) {
    Object.assign(entry, { value: after.value, source: 'test' })
  }
  inForce.push(changed)
  return () => {
    if (!inForce.includes(changed)) return
    // Overlapping changes would restore values of each other.
    if (inForce.pop() !== changed) throw new Error('Settings that changed last are restored first')
    for (const { entry, before } of changed) Object.assign(entry, before)
  }
}

/** Runs `work` with other settings and restores them afterwards, also after an error. */
export async function withSettings<T>(
  changes: SettingChanges,
  work: () => Promise<T> | T
): Promise<T> {
  const restore = changeSettings(changes)
  try {
    return await work()
  } finally {
    restore()
  }
}
