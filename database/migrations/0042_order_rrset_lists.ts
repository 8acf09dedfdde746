import { OwnSchema } from '#database/own_schema'

/**
 * Orders of lists of RRsets, and of records of one type. `set_ttl` of a record's keys is the TTL of its RRset where the
 * record is the first of it, by its id, and null elsewhere: these rows are the RRsets of the zone. `sets` of a zone is how many
 * RRsets it has.
 */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_seen_zones', 'sets', (table) => {
      // null: not known. Follows the notes of rows, as `records` does.
      table.bigInteger('sets').nullable()
    })
    await this.alterOnce('zw_record_keys', 'set_ttl', (table) => {
      table.integer('set_ttl').nullable()
    })
    const parts = await this.partsOf('zw_record_keys')
    for (const [name, columns] of Object.entries(INDEXES)) {
      const index = `zw_record_keys_${name}`
      if (parts.has(index)) continue
      this.schema.alterTable('zw_record_keys', (table) => {
        table.index(['zone_id', ...columns], index)
      })
    }
    for (const name of Object.keys(REPLACED)) {
      const index = `zw_record_keys_${name}`
      if (parts.size > 0 && !parts.has(index)) continue
      this.schema.alterTable('zw_record_keys', (table) => table.dropIndex([], index))
    }
    const each = this.db.dialect.name === 'mysql' ? 's.type, s.name' : "s.type || ' ' || s.name"
    this.schema.raw(
      `UPDATE zw_seen_zones SET sets = (SELECT count(DISTINCT ${each})
         FROM zw_seen_records s WHERE s.zone_id = zw_seen_zones.zone_id)`
    )
    // Which rows are the first of their RRsets is found by the next look at all keys.
    this.schema.raw('UPDATE zw_seen_zones SET keyed_to = 0 WHERE keyed_to IS NOT NULL')
  }

  async down() {
    for (const [name, columns] of Object.entries(REPLACED)) {
      this.schema.alterTable('zw_record_keys', (table) => {
        table.index(['zone_id', ...columns, 'record_id'], `zw_record_keys_${name}`)
      })
    }
    for (const name of Object.keys(INDEXES)) {
      this.schema.alterTable('zw_record_keys', (table) => {
        table.dropIndex([], `zw_record_keys_${name}`)
      })
    }
    this.dropOwnColumns('zw_record_keys', 'set_ttl')
    this.dropOwnColumns('zw_seen_zones', 'sets')
  }
}

/** Those of `REPLACED` know the RRsets too, so that their rows need not be looked up. */
const INDEXES = {
  set_name: ['name_key', 'record_id', 'set_ttl'],
  set_type: ['type_key', 'record_id', 'set_ttl'],
  set_type_name: ['type_key', 'name_key', 'record_id', 'set_ttl'],
  set_ttl: ['set_ttl', 'record_id'],
  type_set_ttl: ['type_key', 'set_ttl', 'record_id'],
  type_content: ['type_key', 'content_key', 'record_id'],
  type_ttl: ['type_key', 'ttl', 'record_id'],
  type_priority: ['type_key', 'priority', 'record_id'],
}

const REPLACED = {
  name: ['name_key'],
  type: ['type_key'],
  type_name: ['type_key', 'name_key'],
}
