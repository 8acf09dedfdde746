import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const TABLE = 'zw_installation'
const SETTING_NAME = 'dns_backend'

/**
 * The backend of the zones in Zonewright tables, named as in the setting `dns.backend`; null without zones. Zone ids
 * differ between backends: with another backend, owners, keys and history would belong to wrong zones.
 */
export async function backendOfZones(client: QueryClientContract): Promise<string | null> {
  const hasZones = await hasRows(client, 'zw_zones')
  if (!hasZones && !(await hasRows(client, 'zw_journal'))) {
    return null
  }
  const row = (await client.from(TABLE).where('name', SETTING_NAME).first()) as {
    value: string
  } | null
  return row?.value ?? null
}

/** Records that the zones belong to this backend from now on. */
export async function assignZones(client: QueryClientContract, backend: string): Promise<void> {
  const row = () => client.from(TABLE).where('name', SETTING_NAME)
  const storedName = (await row().first()) as { value: string } | null
  if (storedName) {
    await (storedName.value === backend ? null : row().update({ value: backend }))
    return
  }
  try {
    await client.table(TABLE).insert({ name: SETTING_NAME, value: backend })
  } catch (error) {
    // Another starting process was faster.
    if (!(await row().first())) {
      throw error
    }
  }
}

async function hasRows(client: QueryClientContract, table: string): Promise<boolean> {
  return Boolean((await client.from(table).select('id').first()) as unknown)
}
