import { RENAMES } from '#database/journal_keys'
import { OwnSchema } from '#database/own_schema'

/** Entries that renamed their zone say so: what a name changed before has entries under the names of then. */
export default class extends OwnSchema {
  async up() {
    this.schema.raw(
      `UPDATE zw_journal SET zone_action = 'rename' WHERE zone_action = 'properties' AND ${RENAMES}`
    )
  }

  async down() {
    this.schema.raw(`UPDATE zw_journal SET zone_action = 'properties' WHERE zone_action = 'rename'`)
  }
}
