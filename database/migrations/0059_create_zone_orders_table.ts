import { OwnSchema } from '#database/own_schema'

/**
 * What lists of zones are sorted by beside their names: with an index for each order, of all zones and of a part of the
 * tree. Nothing is null, and what is not known comes first: no database has to be told where it belongs.
 */
export default class extends OwnSchema {
  async up() {
    // Cut off, it may be there with rows; they are made anew.
    this.dropOwnTables('zone_orders')
    this.createOwnTable('zone_orders', (table) => {
      table.integer('zone_id').unsigned().notNullable().primary()
      table.string('tree', 8).notNullable()
      // Entry of the zone's journal up to which the rest is right; -1 where nothing was looked at yet.
      table.integer('entry').notNullable().defaultTo(-1)
      table.integer('records').notNullable().defaultTo(-1)
      table.bigInteger('serial').notNullable().defaultTo(-1)
      table.specificType('changed', this.byteOrderedText(24)).notNullable().defaultTo('')
      table.specificType('owners', this.byteOrderedText(255)).notNullable().defaultTo('')
      table.specificType('dnssec', this.byteOrderedText(16)).notNullable().defaultTo('')
      table.foreign('zone_id', 'zw_zone_orders_zone').references('zw_zones.id').onDelete('CASCADE')
    })
    this.schema.raw(
      `INSERT INTO zw_zone_orders (zone_id, tree)
       SELECT id, tree FROM zw_zones WHERE kind IS NOT NULL`
    )
    this.schema.alterTable('zw_zone_orders', (table) => {
      for (const field of ['records', 'serial', 'changed', 'owners', 'dnssec']) {
        table.index([field, 'zone_id'], `zw_zone_orders_${field}`)
        table.index(['tree', field, 'zone_id'], `zw_zone_orders_tree_${field}`)
      }
    })
    this.defer(async (client) => {
      await client.from('zw_list_marks').where('list', 'zone_orders').delete()
      const mark = { list: 'zone_orders', shard: 0, total: 0, version: 0 }
      await client.table('zw_list_marks').insert(mark)
    })
  }

  async down() {
    this.dropOwnTables('zone_orders')
    this.defer(async (client) => {
      await client.from('zw_list_marks').where('list', 'zone_orders').delete()
    })
  }
}
