import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { withHeartbeat } from '#backends/pending_writes/heartbeat'
import { hold, intendSigning, settle, unconfirmed } from '#backends/pending_writes/store'
import { SqlWriteSession } from '#backends/sql/session'
import { POWERDNS_TABLES } from '#backends/sql/tables'
import type { UnconfirmedWrites } from '#backends/contract/pending_writes'
import { inTransaction } from '#database/transaction'

/**
 * Pending changes of signing at a name server. The server commits them itself: they are stored until their consequences are
 * written, like the writes of mirrored backends. Other writes commit at once.
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
