import { ZonewrightSchema, longText, timestampColumn } from '#database/schema/zonewright_schema'

/**
 * Creates the journal of the zones, plans and the trash. The journal stores names of zones and users by value: its
 * entries stay when these are deleted.
 */
export default class extends ZonewrightSchema {
  async up() {
    this.#createJournal()
    this.#createJournalChanges()
    this.#createPlans()
    this.#createTrash()
  }

  async down() {
    this.dropZonewrightTables(
      'trash_comments',
      'trash_owners',
      'trash',
      'plans',
      'clock_jumps',
      'journal_changes',
      'journal'
    )
  }

  /** One numbered entry per applied change set and zone. */
  #createJournal() {
    this.createZonewrightTable('journal', (table) => {
      table.bigIncrements('id')
      table.string('zone_uid', 36).notNullable()
      table.integer('entry').notNullable()
      table.integer('zone_id').notNullable()
      table.string('zone_name', 255).notNullable()
      timestampColumn(table, 'time').notNullable()
      table.integer('user_id').nullable()
      table.string('username', 64).notNullable()
      table.integer('api_key_id').nullable()
      table.string('address', 45).nullable()
      table.string('channel', 16).notNullable()
      table.string('reason', 1024).nullable()
      table.bigInteger('serial_before').nullable()
      table.bigInteger('serial_after').nullable()
      table.string('origin_kind', 16).nullable()
      table.string('origin_id', 64).nullable()
      // JSON: properties, owners and other data of the zone itself; null if only records changed.
      longText(table, 'zone_before').nullable()
      longText(table, 'zone_after').nullable()
      // 'create', 'delete', 'rename' or 'properties'; null if only records changed.
      table.string('zone_action', 10).nullable()
      table.unique(['zone_uid', 'entry'], { indexName: 'zw_journal_entry' })
      table.index(['zone_id'], 'zw_journal_zone')
      table.index(['time'], 'zw_journal_when')
      // Finds the last entry of a zone before a time.
      table.index(['zone_uid', 'time', 'entry'], 'zw_journal_time')
      table.index(['zone_uid', 'username', 'entry'], 'zw_journal_user')
      table.index(['zone_uid', 'channel', 'entry'], 'zw_journal_channel')
    })
    this.#indexNotNull('zw_journal_zone_action', 'zone_action')
    this.#indexNotNull('zw_journal_origin', 'origin_kind')

    // Entries whose time is before that of the previous entry. Between two of them, times increase with the numbers.
    this.createZonewrightTable('clock_jumps', (table) => {
      table.string('zone_uid', 36).notNullable()
      table.integer('entry').notNullable()
      table.primary(['zone_uid', 'entry'])
    })
  }

  /** Indexes a column that is null in most entries. The index omits null values if the database can. */
  #indexNotNull(index: string, column: string) {
    const condition = this.db.dialect.name === 'mysql' ? '' : ` WHERE ${column} IS NOT NULL`
    this.schema.raw(`CREATE INDEX ${index} ON zw_journal (zone_uid, ${column}, entry)${condition}`)
  }

  /** The RRsets that an entry changed. */
  #createJournalChanges() {
    this.createZonewrightTable('journal_changes', (table) => {
      table.bigInteger('journal_id').unsigned().notNullable()
      table.integer('position').notNullable()
      // Zone and number of the entry: filters by name and type do not read the entries.
      table.string('zone_uid', 36).notNullable().defaultTo('')
      table.integer('entry').notNullable().defaultTo(0)
      table.string('name', 255).notNullable()
      table.string('type', 10).notNullable()
      // JSON: {"ttl", "records": [{"content", "priority", "disabled"}]}; null if the RRset does not exist.
      longText(table, 'rrset_before').nullable()
      longText(table, 'rrset_after').nullable()
      table.primary(['journal_id', 'position'])
      table
        .foreign('journal_id', 'zw_journal_changes_entry')
        .references('zw_journal.id')
        .onDelete('CASCADE')
      table.index(['zone_uid', 'name', 'entry', 'type'], 'zw_journal_changes_zone_name')
      table.index(['zone_uid', 'type', 'entry'], 'zw_journal_changes_zone_type')
    })
  }

  /** Plans of change sets that were shown to a client. */
  #createPlans() {
    this.createZonewrightTable('plans', (table) => {
      table.string('hash', 71).primary()
      // JSON: a digest of each RRset, which shows later changes.
      longText(table, 'parts').notNullable()
      timestampColumn(table, 'created_at').notNullable()
      table.index(['created_at'], 'zw_plans_created')
    })
  }

  /** Deleted zones that can be restored. */
  #createTrash() {
    this.createZonewrightTable('trash', (table) => {
      table.increments('id')
      table.string('zone_uid', 36).notNullable().unique({ indexName: 'zw_trash_uid' })
      // The journal entry of the deletion holds records, properties, metadata, comments and owners.
      table.integer('entry').notNullable()
      table.integer('zone_id').notNullable()
      table.string('zone_name', 255).notNullable()
      timestampColumn(table, 'deleted_at').notNullable()
      table.integer('user_id').nullable()
      table.string('username', 64).notNullable()
      // DNSSEC keys, encrypted with the APP_KEY; null if the zone had none.
      longText(table, 'keys').nullable()
      table.index(['deleted_at'], 'zw_trash_deleted')
    })

    // Owners of the zone before its deletion.
    this.createZonewrightTable('trash_owners', (table) => {
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

    // Comments on the records of the zone, as in zw_record_comments.
    this.createZonewrightTable('trash_comments', (table) => {
      table.integer('trash_id').unsigned().notNullable()
      table.string('owner', 255).notNullable()
      table.string('type', 16).notNullable()
      table.string('record_hash', 64).notNullable()
      longText(table, 'above').notNullable()
      longText(table, 'inline').notNullable()
      table.primary(['trash_id', 'owner', 'type', 'record_hash'])
      table
        .foreign('trash_id', 'zw_trash_comments_trash')
        .references('zw_trash.id')
        .onDelete('CASCADE')
    })
  }
}
