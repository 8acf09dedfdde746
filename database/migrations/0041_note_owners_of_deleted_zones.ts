import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/chunks'
import { OwnSchema } from '#database/own_schema'

const BATCH = 200

interface Owners {
  users?: number[]
  groups?: number[]
}

/** Who owned deleted zones: the journal has it too, but no query can ask it. */
export default class extends OwnSchema {
  async up() {
    // Cut off, it may be there with rows; they are read from the journal anew.
    this.dropOwnTables('trash_owners')
    this.createOwnTable('trash_owners', (table) => {
      // 'user' or 'group'.
      table.string('kind', 5).notNullable()
      table.integer('owner_id').notNullable()
      table.integer('trash_id').unsigned().notNullable()
      table.primary(['kind', 'owner_id', 'trash_id'])
      table
        .foreign('trash_id', 'zw_trash_owners_trash')
        .references('zw_trash.id')
        .onDelete('CASCADE')
      table.index(['trash_id'], 'zw_trash_owners_trash_idx')
    })
    this.defer(fillOwners)
  }

  async down() {
    this.dropOwnTables('trash_owners')
  }
}

/** From the journal entries of the deletions; nobody owned a zone whose entry is gone. */
async function fillOwners(client: QueryClientContract): Promise<void> {
  for (let last = 0; ;) {
    const rows: { id: number; zone_before: string | null }[] = await client
      .from('zw_trash')
      .leftJoin('zw_journal', (join) => {
        join
          .on('zw_journal.zone_uid', 'zw_trash.zone_uid')
          .andOn('zw_journal.entry', 'zw_trash.entry')
      })
      .where('zw_trash.id', '>', last)
      .orderBy('zw_trash.id')
      .limit(BATCH)
      .select('zw_trash.id', 'zw_journal.zone_before')
    if (rows.length === 0) {
      return
    }
    last = rows[rows.length - 1].id
    for (const part of chunks(rows.flatMap(ownerRows))) {
      await client.table('zw_trash_owners').multiInsert(part)
    }
  }
}

function ownerRows({ id, zone_before: before }: { id: number; zone_before: string | null }) {
  const { owners = {} } = JSON.parse(before ?? '{}') as { owners?: Owners }
  const { users = [], groups = [] } = owners
  const rowsOf = (kind: string, ids: number[]) =>
    [...new Set(ids)].map((owner) => ({ kind, owner_id: owner, trash_id: id }))
  return [...rowsOf('user', users), ...rowsOf('group', groups)]
}
