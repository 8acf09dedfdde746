import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import {
  AutoprimaryExists,
  AutoprimaryChanged,
  isSameAutoprimary,
  type Autoprimaries,
  type Autoprimary,
} from '#backends/contract/autoprimaries'
import { isUniqueViolation } from '#database/conflicts'

/** Former name of autoprimaries (up to PowerDNS 4.4), still the name of their table. */
const TABLE = 'supermasters'

/** The autoprimaries in PowerDNS' table, which `pdns_server` reads on a NOTIFY of an unknown zone. */
export class SqlAutoprimaries implements Autoprimaries {
  constructor(private readonly client: () => QueryClientContract) {}

  async list(): Promise<Autoprimary[]> {
    const rows: Autoprimary[] = await this.client()
      .from(TABLE)
      .select('ip', 'nameserver', 'account')
    return rows.map(({ ip, nameserver, account }) => ({ ip, nameserver, account: account ?? '' }))
  }

  async add({ ip, nameserver, account }: Autoprimary, trx: TransactionClientContract) {
    await rethrowDuplicate(() => trx.table(TABLE).insert({ ip, nameserver, account }))
  }

  async replace(before: Autoprimary, after: Autoprimary, trx: TransactionClientContract) {
    const { ip, nameserver, account } = after
    if (isSameAutoprimary(before, after)) {
      requireOneRow(await rowOf(trx, before).update({ account }))
      return
    }
    requireOneRow(
      await rethrowDuplicate(() => rowOf(trx, before).update({ ip, nameserver, account }))
    )
  }

  async remove(autoprimary: Autoprimary, trx: TransactionClientContract) {
    requireOneRow(await rowOf(trx, autoprimary).delete())
  }
}

/** Selects the row if it has not changed since it was read. */
function rowOf(trx: TransactionClientContract, { ip, nameserver, account }: Autoprimary) {
  return trx
    .from(TABLE)
    .where({ ip, nameserver })
    .where((condition) => {
      condition.where('account', account)
      if (account === '') condition.orWhereNull('account')
    })
}

/** Throws `AutoprimaryChanged` unless one row was written. Some drivers return the number in a list. */
function requireOneRow(written: unknown): void {
  if (Number(written) === 0) {
    throw new AutoprimaryChanged('The autoprimary was changed in the meantime')
  }
}

async function rethrowDuplicate(write: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error)
      ? new AutoprimaryExists('The autoprimary already exists', { cause: error })
      : error
  }
}
