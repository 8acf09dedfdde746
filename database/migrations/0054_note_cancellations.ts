import { OwnSchema, moment } from '#database/own_schema'

/** When a change request was taken back: one that was approved for a later moment has the moment of its approval besides. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_change_requests', 'cancelled_at', (table) => {
      moment(table, 'cancelled_at').nullable()
    })
    // Until now, that of all which nobody decided before.
    this.schema.raw(
      `UPDATE zw_change_requests SET cancelled_at = reviewed_at
       WHERE status = 'cancelled' AND reviewer_name IS NULL AND cancelled_at IS NULL`
    )
  }

  async down() {
    this.dropOwnColumns('zw_change_requests', 'cancelled_at')
  }
}
