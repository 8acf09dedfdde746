import { OwnSchema } from '#database/own_schema'
import { KEYED_COLUMNS, keepUserKeys, userKey } from '#database/user_keys'

/** What lists of users are sorted by, whatever its case: with an index for each order. */
export default class extends OwnSchema {
  async up() {
    const parts = await this.partsOf('zw_users')
    for (const column of KEYED_COLUMNS) {
      const key = userKey(column)
      if (parts.has(key)) continue
      this.schema.alterTable('zw_users', (table) => {
        // A letter may become more than one when its case changes.
        table.specificType(key, this.byteOrderedText(512)).notNullable().defaultTo('')
      })
    }
    this.defer((client) => keepUserKeys(client, null))
    for (const [name, columns] of this.#indexes()) {
      if (!parts.has(name)) this.schema.raw(`CREATE INDEX ${name} ON zw_users (${columns})`)
    }
  }

  async down() {
    this.schema.alterTable('zw_users', (table) => {
      for (const [name] of this.#indexes()) table.dropIndex([], name)
    })
    this.dropOwnColumns('zw_users', ...KEYED_COLUMNS.map((column) => userKey(column)))
  }

  /** Read backwards, MariaDB would have to sort for the ids of equal keys. */
  #indexes(): [name: string, columns: string][] {
    return KEYED_COLUMNS.map(userKey).flatMap((key): [string, string][] => [
      [`zw_users_${key}`, `${key}, id`],
      ...(this.db.dialect.name === 'mysql'
        ? [[`zw_users_${key}_desc`, `${key} DESC, id`] as [string, string]]
        : []),
    ])
  }
}
