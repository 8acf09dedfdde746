import { OwnSchema } from '#database/own_schema'

/** The default order of the members of a group: the newest first. */
export default class extends OwnSchema {
  async up() {
    await this.alterOnce('zw_group_members', 'zw_group_members_joined', (table) => {
      table.index(['group_id', 'joined_at', 'user_id'], 'zw_group_members_joined')
    })
  }

  async down() {
    this.schema.alterTable('zw_group_members', (table) => {
      table.dropIndex([], 'zw_group_members_joined')
    })
  }
}
