import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { Refusal } from '#exceptions/refusal'
import { isSigned, signEnds, type ChainEnds, type ChainPoint } from '#audit/chain'
import { holdRow } from '#database/rows/row_lock'

interface HeadRow {
  position: number | string
  hash: string
  anchor_position: number | string
  anchor_hash: string
  mac: string | null
  /** Position of the last stored link. */
  last: number | string | null
  last_hash: string | null
}

/** The stored ends of the chain, and whether their signature is valid. */
export interface StoredEnds extends ChainEnds {
  mac: string | null
  /** The last stored link; the anchor if there is none. */
  last: ChainPoint
}

/**
 * The end of the chain differs from its signature: links were deleted, added by another program, or
 * signed with another APP_KEY. Sealing and retention stop until a maintainer examines the end
 * (`audit:verify`).
 */
export class ChainBroken extends Refusal {
  constructor(reason: string) {
    super(409, `The audit log cannot be continued: ${reason}. Run "node ace audit:verify"`)
  }
}

/** Reads both ends and the last link in one statement; null if the row is missing. */
export async function readEnds(client: QueryClientContract): Promise<StoredEnds | null> {
  // One statement: concurrent processes seal and prune.
  const row: HeadRow | null = await client
    .from('zw_audit_head')
    .where('id', 1)
    .select(
      '*',
      client.raw('(select max(position) from zw_audit_chain) as last'),
      client.raw('(select hash from zw_audit_chain order by position desc limit 1) as last_hash')
    )
    .first()
  if (!row) {
    return null
  }
  const anchor = { position: Number(row.anchor_position), hash: row.anchor_hash }
  return {
    head: { position: Number(row.position), hash: row.hash },
    anchor,
    mac: row.mac,
    last: row.last_hash === null ? anchor : { position: Number(row.last), hash: row.last_hash },
  }
}

/** Why the chain must not be continued from these ends; null when nothing is wrong with them. */
export function faultOf(chainEnds: StoredEnds | null): string | null {
  if (!chainEnds) {
    return 'the row with its end is missing'
  }
  const { head, last, mac } = chainEnds
  if (!isSigned(chainEnds, mac)) {
    return 'the signature of its end is not valid (was APP_KEY changed?)'
  }
  if (head.position !== last.position || head.hash !== last.hash) {
    return `it ends at position ${last.position}, but position ${head.position} was signed`
  }
  return null
}

/**
 * Locks the chain, as the first statement of its transaction, and returns both ends. Writers of events never lock it. Throws
 * `ChainBroken`.
 */
export async function lockChain(trx: TransactionClientContract): Promise<StoredEnds> {
  await takeLock(trx)
  const chainEnds = await readEnds(trx)
  const fault = faultOf(chainEnds)
  if (!chainEnds || fault !== null) {
    throw new ChainBroken(fault ?? '')
  }
  return chainEnds
}

/** Locks the ends until the transaction ends. */
export async function takeLock(trx: TransactionClientContract): Promise<void> {
  await holdRow(trx, 'zw_audit_head', 1)
}

/** Writes and signs both ends, under the lock. */
export async function saveEnds(
  trx: TransactionClientContract,
  chainEnds: ChainEnds
): Promise<void> {
  const { head, anchor } = chainEnds
  await trx
    .from('zw_audit_head')
    .where('id', 1)
    .update({
      position: head.position,
      hash: head.hash,
      anchor_position: anchor.position,
      anchor_hash: anchor.hash,
      mac: signEnds(chainEnds),
    })
}
