import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { OwnSchema } from '#database/own_schema'

/** Entries of the journal in one statement; imports have many changes each. */
const BATCH = 500

/**
 * Entries of a zone by the names and types that they changed, and by what was done: a page of few among many does not
 * read the others. Changes know their zone and the number of their entry for it, and entries what they did to the zone as
 * a whole.
 */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_journal_changes', 'entry', (table) => {
      // Of its entry, which never changes them.
      table.string('zone_uid', 36).notNullable().defaultTo('')
      table.integer('entry').notNullable().defaultTo(0)
    })
    await this.alterOnce('zw_journal', 'zone_action', (table) => {
      // 'create', 'delete' or 'properties'; null where only records changed.
      table.string('zone_action', 10).nullable()
    })
    this.defer(noteEntries)
    for (const { table, name, columns, where } of this.#indexes()) {
      const parts = await this.partsOf(table)
      if (parts.has(name)) continue
      this.schema.raw(`CREATE INDEX ${name} ON ${table} (zone_uid, ${columns})${where}`)
    }
    const parts = await this.partsOf('zw_journal_changes')
    if (parts.size === 0 || parts.has(REPLACED)) {
      this.schema.alterTable('zw_journal_changes', (table) => table.dropIndex([], REPLACED))
    }
  }

  async down() {
    this.schema.alterTable('zw_journal_changes', (table) => {
      table.index(['name', 'type'], REPLACED)
    })
    for (const { table: of, name } of this.#indexes()) {
      this.schema.alterTable(of, (table) => table.dropIndex([], name))
    }
    this.dropOwnColumns('zw_journal', 'zone_action')
    this.dropOwnColumns('zw_journal_changes', 'zone_uid', 'entry')
  }

  /** Most entries have no value in the last two: where the database can, their indexes leave those out. */
  #indexes() {
    const given = (column: string) =>
      this.db.dialect.name === 'mysql' ? '' : ` WHERE ${column} IS NOT NULL`
    return [
      // With the type, so that the entries of one RRset are found by it, too.
      index('zw_journal_changes', 'zone_name', 'name, entry, type'),
      index('zw_journal_changes', 'zone_type', 'type, entry'),
      index('zw_journal', 'zone_action', 'zone_action, entry', given('zone_action')),
      index('zw_journal', 'origin', 'origin_kind, entry', given('origin_kind')),
    ]
  }
}

/** Of names and types of all zones: nothing asks for it without a zone. */
const REPLACED = 'zw_journal_changes_name'

function index(table: string, name: string, columns: string, where = '') {
  return { table, name: `${table}_${name}`, columns, where }
}

/** Gives rows that are there already what new ones are written with; those that have it keep it. */
async function noteEntries(client: QueryClientContract): Promise<void> {
  for (let last = 0; ;) {
    const rows: { id: number | string }[] = await client
      .from('zw_journal')
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .select('id')
    if (rows.length === 0) {
      return
    }
    const span = [last, Number(rows[rows.length - 1].id)]
    await client.rawQuery(
      `UPDATE zw_journal_changes SET
         zone_uid = (SELECT zone_uid FROM zw_journal WHERE id = journal_id),
         entry = (SELECT entry FROM zw_journal WHERE id = journal_id)
       WHERE journal_id > ? AND journal_id <= ? AND zone_uid = ''`,
      span
    )
    await client.rawQuery(
      `UPDATE zw_journal SET zone_action =
         CASE WHEN zone_before IS NULL THEN 'create' WHEN zone_after IS NULL THEN 'delete' ELSE 'properties' END
       WHERE id > ? AND id <= ? AND (zone_before IS NOT NULL OR zone_after IS NOT NULL)`,
      span
    )
    last = span[1]
  }
}
