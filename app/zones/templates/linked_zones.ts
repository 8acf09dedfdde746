import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { visibleZones } from '#zones/visibility'

/** Ids of zones that were created from a template. */
export interface LinkedZones {
  ids: number[]
  /** On all pages. */
  total: number
}

/** Returns a page of the visible zones that are linked to a template, by id. */
export async function linkedZones(
  actor: Actor,
  templateId: number,
  { offset, size }: { offset: number; size: number }
): Promise<LinkedZones> {
  const filterRows = await visibleZones(actor)
  const rows = () => {
    const links = db
      .from('zw_zone_template_links')
      .join('zw_zones', 'zw_zones.uid', 'zw_zone_template_links.zone_uid')
      .where('zw_zone_template_links.template_id', templateId)
      .whereNotNull('zw_zones.kind')
    filterRows(links)
    return links
  }
  const [count] = (await rows().count('* as total')) as { total: number | string }[]
  const found = (await rows()
    .select('zw_zones.id')
    .orderBy('zw_zones.id')
    .offset(offset)
    .limit(size)) as { id: number }[]
  return { ids: found.map(({ id }) => id), total: Number(count.total) }
}
