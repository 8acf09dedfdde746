import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditActor } from '#audit/event'
import { lockChain, readEnds, saveEnds } from '#audit/head'
import { linksAfter, someLinks, type StoredLink, LINK_BATCH_SIZE } from '#audit/links'
import { record } from '#audit/record'
import { inTransaction } from '#database/transaction'

const DAY_MS = 86_400_000

/**
 * Removes the oldest sealed events, up to the first that is not older than `days`, and stores the new start of the chain: the
 * rest can still be verified. Unsealed events stay. Audited. Returns the number of removed events. Throws `ChainBroken`.
 *
 * @param dryRun counts only
 * @param onStep called after each transaction with the number of events removed so far
 */
export async function pruneLog(
  actor: AuditActor,
  days: number,
  dryRun = false,
  onStep: (removed: number) => void = () => {}
): Promise<number> {
  const before = new Date(Date.now() - days * DAY_MS).toISOString()
  if (dryRun) {
    return countOld(before)
  }
  let removed = 0
  let prunedUntil = 0
  for (;;) {
    const part = await inTransaction(db.connection(), (trx) => removeSome(trx, before))
    removed += part.length
    prunedUntil = part.at(-1)?.position ?? prunedUntil
    if (part.length < LINK_BATCH_SIZE) {
      break
    }
    onStep(removed)
    // SQLite's driver is synchronous: other requests run now.
    await turn()
  }
  if (removed > 0) {
    const detail = { events: removed, until_position: prunedUntil, older_than_days: days }
    await record(db.connection(), actor, { action: 'audit.pruned', detail })
  }
  return removed
}

/** Links and their events go together with the step of the anchor. */
async function removeSome(trx: TransactionClientContract, before: string): Promise<StoredLink[]> {
  const { head, anchor } = await lockChain(trx)
  const old = oldOf(await someLinks(trx, anchor.position, head.position), before)
  const lastLink = old.at(-1)
  if (lastLink) {
    const ids = old.map(({ auditId }) => auditId)
    await trx.from('zw_audit').whereIn('id', ids).delete()
    await trx.from('zw_audit_chain').where('position', '<=', lastLink.position).delete()
    await saveEnds(trx, { head, anchor: { position: lastLink.position, hash: lastLink.hash } })
  }
  return old
}

/** The older events at the start. Clocks can be set back in between, and a missing event has no age. */
function oldOf(links: StoredLink[], before: string): StoredLink[] {
  const first = links.findIndex(({ event }) => event !== null && event.time >= before)
  return first === -1 ? links : links.slice(0, first)
}

async function countOld(before: string): Promise<number> {
  const chainEnds = await readEnds(db.connection())
  let count = 0
  if (chainEnds) {
    for await (const link of linksAfter(
      db.connection(),
      chainEnds.anchor.position,
      chainEnds.head.position
    )) {
      if (oldOf([link], before).length === 0) {
        break
      }
      count++
    }
  }
  return count
}
