import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/statements/chunks'
import { PERMISSIONS } from '#access/permissions'

/**
 * Runs `work` while every user template grants administrator rights, so that a new user cannot get a template. Restores
 * the templates afterwards.
 */
export async function withoutTemplates(work: () => Promise<void>): Promise<void> {
  const all = PERMISSIONS.user_is_ueberuser.id
  const templates = await db
    .from('zw_permission_templates')
    .where('template_type', 'user')
    .whereNotIn(
      'id',
      db.from('zw_permission_template_items').where('permission_id', all).select('template_id')
    )
    .select('id')
  const rows = templates.map(({ id }) => ({ template_id: id, permission_id: all }))
  for (const part of chunks(rows)) {
    await db.table('zw_permission_template_items').multiInsert(part)
  }
  try {
    await work()
  } finally {
    const ids = templates.map(({ id }) => id)
    await db
      .from('zw_permission_template_items')
      .where('permission_id', all)
      .whereIn('template_id', ids)
      .delete()
  }
}
