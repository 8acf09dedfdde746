import db from '@adonisjs/lucid/services/db'
import { inTransaction } from '#database/transaction'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { PERMISSIONS, SEEDED_GROUPS, SEEDED_TEMPLATES } from '#access/permissions'
import { dialectOf } from '#database/dialects/dialect_of'

/**
 * Inserts missing permissions and, into an empty database, the initial permission templates and
 * groups. Repeated runs change no edited data; they add permissions of newer versions.
 */
export async function seedIdentity(): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    await seedPermissions(trx)
    const template: unknown = await trx.from('zw_permission_templates').first()
    if (!template) {
      await seedTemplates(trx)
      await seedGroups(trx)
    }
  })
}

async function seedPermissions(trx: TransactionClientContract): Promise<void> {
  const stored: { id: number; description: string }[] = await trx.from('zw_permissions')
  const storedDescriptions = new Map(stored.map((row) => [row.id, row.description]))
  for (const [name, { id, meaning }] of Object.entries(PERMISSIONS)) {
    if (!storedDescriptions.has(id)) {
      await trx.table('zw_permissions').insert({ id, name, description: meaning })
    } else if (storedDescriptions.get(id) !== meaning) {
      await trx.from('zw_permissions').where('id', id).update({ name, description: meaning })
    }
  }
}

async function seedTemplates(trx: TransactionClientContract): Promise<void> {
  await trx.table('zw_permission_templates').multiInsert(
    SEEDED_TEMPLATES.map(({ id, name, description, type }) => ({
      id,
      name,
      description,
      template_type: type,
    }))
  )
  await trx.table('zw_permission_template_items').multiInsert(
    SEEDED_TEMPLATES.flatMap((template) =>
      template.permissions.map((permission) => ({
        template_id: template.id,
        permission_id: PERMISSIONS[permission].id,
      }))
    )
  )
  await continueIds(trx, 'zw_permission_templates')
}

async function seedGroups(trx: TransactionClientContract): Promise<void> {
  const now = new Date().toISOString()
  await trx.table('zw_groups').multiInsert(
    SEEDED_GROUPS.map(({ id, name, description, templateId }) => ({
      id,
      name,
      description,
      permission_template_id: templateId,
      created_by: null,
      created_at: now,
      updated_at: now,
    }))
  )
  await continueIds(trx, 'zw_groups')
}

/** PostgreSQL sequences do not follow explicit ids: the sequence must continue after them. */
async function continueIds(trx: TransactionClientContract, table: string): Promise<void> {
  const statement = dialectOf(trx).continueIds(table)
  if (statement !== null) {
    await trx.rawQuery(statement)
  }
}
