import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { withHeartbeat } from '#backends/pending_writes/heartbeat'
import { hold, intendSigning, settle, unconfirmed } from '#backends/pending_writes/store'
import { SqlWriteSession } from '#backends/sql/session'
import { POWERDNS_TABLES } from '#backends/sql/tables'
import type { UnconfirmedWrites } from '#backends/contract/pending_writes'
import { inTransaction } from '#database/transaction'

/**
 * Changes of signing that a name server was asked for. It makes them in a transaction of its own, so that they are kept
 * until what follows from them is written, as the writes of mirrored backends are; all else commits at once here.
 */
export function begunSignings(client: () => QueryClientContract): UnconfirmedWrites {
  return {
    begin: intendSigning,
    forget: async (id, trx) => {
      await (trx ? settle(trx, id) : inTransaction(client(), (own) => settle(own, id)))
    },
    atWork: (id, work) => withHeartbeat(client, id, work),
    list: (which) => unconfirmed(client(), which),
    clear: async () => {},
    settle: (id, work) =>
      inTransaction(client(), async (trx) => {
        if (!(await hold(trx, id))) {
          return null
        }
        const result = await work(new SqlWriteSession(trx, POWERDNS_TABLES, true))
        await settle(trx, id)
        return result
      }),
  }
}
