import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import {
  AutoprimaryExists,
  isSameAutoprimary,
  type Autoprimaries,
  type Autoprimary,
  type AutoprimaryKey,
} from '#backends/autoprimaries'
import { isUniqueViolation } from '#database/conflicts'

/** PowerDNS' name for them up to version 4.4, and for their table still. */
const TABLE = 'supermasters'

/** The autoprimaries in PowerDNS' own table, which a `pdns_server` reads when it is told of an unknown zone. */
export class SqlAutoprimaries implements Autoprimaries {
  constructor(private readonly client: () => QueryClientContract) {}

  async list(): Promise<Autoprimary[]> {
    const rows: Autoprimary[] = await this.client()
      .from(TABLE)
      .select('ip', 'nameserver', 'account')
    return rows.map(({ ip, nameserver, account }) => ({ ip, nameserver, account: account ?? '' }))
  }

  async add({ ip, nameserver, account }: Autoprimary, trx: TransactionClientContract) {
    await once(() => trx.table(TABLE).insert({ ip, nameserver, account }))
  }

  async replace(before: Autoprimary, after: Autoprimary, trx: TransactionClientContract) {
    const { ip, nameserver, account } = after
    if (isSameAutoprimary(before, after)) {
      await rowOf(trx, before).update({ account })
      return
    }
    await once(() => rowOf(trx, before).update({ ip, nameserver, account }))
  }

  async remove(key: AutoprimaryKey, trx: TransactionClientContract) {
    await rowOf(trx, key).delete()
  }
}

function rowOf(trx: TransactionClientContract, { ip, nameserver }: AutoprimaryKey) {
  return trx.from(TABLE).where({ ip, nameserver })
}

async function once(write: () => PromiseLike<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isUniqueViolation(error)
      ? new AutoprimaryExists('There is such an autoprimary', { cause: error })
      : error
  }
}
