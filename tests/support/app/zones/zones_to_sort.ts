import { randomUUID } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { adoptAllZones } from '#changes/recovery/reconcile'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import { unique } from '#tests/support/app/names'
import { person, createTeam } from '#tests/support/app/people/people'
import type { Random } from '#tests/support/random'

const ENDS = ['test', 'in-addr.arpa', 'ip6.arpa']

/**
 * Creates zones in the tables of PowerDNS with different and equal values in all columns of the list. Returns the function
 * that removes them.
 */
export async function zonesToSort(random: Random, count: number): Promise<() => Promise<void>> {
  const word = unique('s').toLowerCase()
  const users = [await person(), await person(), await person()]
  const groups = [await createTeam([]), await createTeam([])]
  const names = Array.from({ length: count }, (_, i) => `z${i}.${word}.${random.pick(ENDS)}`)
  for (const name of names) await db.table('domains').insert({ name, type: 'NATIVE' })
  const backend = await backendUnderTest()
  await adoptAllZones(backend)
  const zones: { id: number; name: string }[] = await db.from('domains').whereIn('name', names)
  for (const { id, name } of zones) {
    const domain = { domain_id: id }
    if (random.chance(0.9)) {
      const serial = random.pick(['1', '9', '10', '2026010100', '4294967295', '2147483648', 'x'])
      const content = `ns.${word}.test host.${word}.test ${serial} 1 1 1 1`
      await db.table('records').insert({ ...domain, name, type: 'SOA', content, ttl: 60 })
    }
    if (random.chance(0.4)) {
      const key = { flags: 257, active: random.chance(0.8), content: 'none' }
      await db.table('cryptokeys').insert({ ...domain, ...key })
    }
    if (random.chance(0.3)) {
      const presigned = { kind: 'PRESIGNED', content: '1' }
      await db.table('domainmetadata').insert({ ...domain, ...presigned })
    }
    if (random.chance(0.7)) {
      const records = random.pick([0, 1, 2, 10, 2_000_000])
      await db.table('zw_zone_snapshots').insert({ zone_id: id, zone_name: name, records })
    }
    if (random.chance(0.6)) await writeEntry(random, { id, name })
    const stamp = { zone_id: id, created_at: '2026-01-01' }
    for (const { id: user } of users.filter(() => random.chance(0.3))) {
      await db.table('zw_zone_owners').insert({ ...stamp, user_id: user })
    }
    for (const { id: group } of groups.filter(() => random.chance(0.3))) {
      await db.table('zw_zone_groups').insert({ ...stamp, group_id: group })
    }
  }
  return async () => {
    const ids = zones.map(({ id }) => id)
    for (const table of ['records', 'cryptokeys', 'domainmetadata']) {
      await db.from(table).whereIn('domain_id', ids).delete()
    }
    await db.from('zw_zone_snapshots').whereIn('zone_id', ids).delete()
    await db.from('zw_zones').whereIn('id', ids).delete()
    await db.from('domains').whereIn('id', ids).delete()
    await adoptAllZones(backend)
  }
}

async function writeEntry(random: Random, { id, name }: { id: number; name: string }) {
  const entry = 1 + random.below(9)
  const uid = randomUUID()
  await db.from('zw_zones').where('id', id).update({ uid, last_entry: entry })
  const time = `2026-01-0${1 + random.below(3)}T00:00:00.00${random.below(3)}Z`
  const author = { username: 'somebody', channel: 'api' }
  const zone = { zone_uid: uid, zone_id: id, zone_name: name }
  await db.table('zw_journal').insert({ ...zone, entry, time, ...author })
}
