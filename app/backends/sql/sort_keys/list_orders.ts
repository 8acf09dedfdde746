import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { ListOrders } from '#backends/contract/backend'
import { queueAllKeys } from '#backends/sql/sort_keys/queue'
import { verifySortKeys, buildSortKeys, type KeyCursor } from '#backends/sql/sort_keys/builder'
import type { ZoneTables } from '#backends/sql/tables'

/** The sort keys of the records of large zones. */
export class SqlListOrders implements ListOrders {
  #cursor: KeyCursor = { zoneId: 0, after: 0 }

  constructor(
    private readonly client: () => QueryClientContract,
    private readonly tables: ZoneTables
  ) {}

  buildNext(): Promise<boolean> {
    return buildSortKeys(this.client(), this.tables)
  }

  async verifyNext(): Promise<void> {
    this.#cursor = await verifySortKeys(this.client(), this.tables, this.#cursor)
  }

  queueAllZones(): Promise<void> {
    return queueAllKeys(this.client())
  }
}
