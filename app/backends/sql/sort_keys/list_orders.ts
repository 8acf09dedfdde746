import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { ListOrders } from '#backends/contract/backend'
import { askForAllKeys } from '#backends/sql/sort_keys/queue'
import { verifySortKeys, buildSortKeys, type KeyCursor } from '#backends/sql/sort_keys/builder'
import type { ZoneTables } from '#backends/sql/tables'

/** The sort keys of the records of large zones. */
export class SqlListOrders implements ListOrders {
  #look: KeyCursor = { zoneId: 0, after: 0 }

  constructor(
    private readonly client: () => QueryClientContract,
    private readonly tables: ZoneTables
  ) {}

  feed(): Promise<boolean> {
    return buildSortKeys(this.client(), this.tables)
  }

  async look(): Promise<void> {
    this.#look = await verifySortKeys(this.client(), this.tables, this.#look)
  }

  ask(): Promise<void> {
    return askForAllKeys(this.client())
  }
}
