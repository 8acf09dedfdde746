import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { withHeartbeat } from '#backends/pending_writes/heartbeat'
import {
  lockWrite,
  storeSigning,
  confirmWrite,
  readUnconfirmedWrites,
} from '#backends/pending_writes/store'
import { SqlWriteSession } from '#backends/sql/session'
import { POWERDNS_TABLES } from '#backends/sql/tables'
import type { UnconfirmedWrites } from '#backends/contract/pending_writes'
import { inTransaction } from '#database/transaction'

/**
 * Pending changes of signing at a name server. The server commits them itself: they are stored until their consequences are
 * written, like the writes of mirrored backends. Other writes commit at once.
 */
export function pendingSignings(client: () => QueryClientContract): UnconfirmedWrites {
  return {
    storeSigning: storeSigning,
    forget: async (id, trx) => {
      await (trx ? confirmWrite(trx, id) : inTransaction(client(), (own) => confirmWrite(own, id)))
    },
    runWithHeartbeat: (id, work) => withHeartbeat(client, id, work),
    list: (filter) => readUnconfirmedWrites(client(), filter),
    reverseSafeSteps: async () => {},
    settle: (id, work) =>
      inTransaction(client(), async (trx) => {
        if (!(await lockWrite(trx, id))) {
          return null
        }
        const result = await work(new SqlWriteSession(trx, POWERDNS_TABLES, true))
        await confirmWrite(trx, id)
        return result
      }),
  }
}
