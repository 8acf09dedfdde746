import db from '@adonisjs/lucid/services/db'
import { isCanonicalDetail, linkHash, type ChainPoint } from '#audit/chain'
import type { StoredEvent } from '#audit/entry'
import { faultOf, readEnds, type StoredEnds } from '#audit/head'
import { linksAfter, type StoredLink } from '#audit/links'
import { countUnsealed } from '#audit/sealer'

/**
 * An error of the chain: an event differs from its seal (`altered`), an event or its link is missing (`missing`), an event was
 * never sealed (`inserted`), the end differs from its signature (`end`), or from a recorded end (`kept`).
 */
export interface Finding {
  kind: 'altered' | 'missing' | 'inserted' | 'end' | 'kept'
  position: number | null
  event: number | null
  message: string
}

/** Result of `audit:verify`. */
export interface Verification {
  findings: Finding[]
  /** Number of events that match their seal. */
  verified: number
  /** Events that are not sealed yet, and therefore not protected. */
  unsealed: number
  /** The end of the chain; null if it is unknown. */
  head: ChainPoint | null
  /** Events up to this position were removed by retention. */
  anchor: ChainPoint | null
  /** Where the next check continues; null if all links were checked. */
  next: ChainPoint | null
}

/** The part of the log to verify. */
export interface VerifiedPart {
  /** Start of the part: `next` of the previous part. Default: the start of the log. */
  from?: ChainPoint
  /** Maximum number of links. */
  rowLimit?: number
}

/** Maximum number of listed errors. The verification stops there. */
export const MAX_FINDINGS = 1000

/**
 * Verifies the log, all of it by default, by its chain, in constant memory. The last part also searches for events that were
 * never sealed.
 *
 * @param storedPoint an end that `audit:verify` printed before: the only proof against a restored older state of the whole log
 */
export async function verifyLog(
  storedPoint: ChainPoint | null = null,
  part: VerifiedPart = {}
): Promise<Verification> {
  const ends = await readEnds(db.connection())
  const findings: Finding[] = []
  const fault = faultOf(ends)
  if (fault !== null) {
    findings.push({
      kind: 'end',
      position: ends?.head.position ?? null,
      event: null,
      message: fault,
    })
  }
  const { verified, next } = ends
    ? await verifyLinks(ends, storedPoint, findings, part)
    : { verified: 0, next: null }
  if (!next) {
    await findInserted(findings)
  }
  return {
    findings: await withoutPruned(findings),
    verified,
    unsealed: await countUnsealed(),
    head: ends?.head ?? null,
    anchor: ends?.anchor ?? null,
    next,
  }
}

/** Verifies each link up to the end of the chain at the start of the check. */
async function verifyLinks(
  { anchor, head, last }: StoredEnds,
  storedPoint: ChainPoint | null,
  findings: Finding[],
  { from, rowLimit = Infinity }: VerifiedPart
): Promise<{ verified: number; next: ChainPoint | null }> {
  const end = Math.max(head.position, last.position)
  // Events before the anchor may have been removed meanwhile.
  let before: ChainPoint = from && from.position > anchor.position ? from : anchor
  let verified = 0
  let verifiedCount = 0
  for await (const link of linksAfter(db.connection(), before.position, end)) {
    if (findings.length >= MAX_FINDINGS) {
      return { verified, next: null }
    }
    verifiedCount += 1
    if (verifiedCount > rowLimit) {
      return { verified, next: { position: before.position, hash: before.hash } }
    }
    if (link.position !== before.position + 1) {
      findings.push(gap(before.position + 1, link.position - 1))
      // The hash before the gap is not known: this link is taken as it is.
      before = link
      continue
    }
    const finding = faultOfLink(before.hash, link)
    if (finding) {
      findings.push(finding)
    } else {
      verified++
    }
    if (storedPoint?.position === link.position && storedPoint.hash !== link.hash) {
      findings.push(storedPointFinding(storedPoint, 'does not match the checkpoint'))
    }
    before = link
  }
  if (before.position < head.position) {
    findings.push(gap(before.position + 1, head.position))
  }
  if (storedPoint) {
    checkStoredPoint(storedPoint, anchor, before, findings)
  }
  return { verified, next: null }
}

function faultOfLink(previous: string, { position, auditId, hash, event }: StoredLink) {
  if (!event) {
    const message = `event ${auditId} is missing`
    return { kind: 'missing', position, event: auditId, message } satisfies Finding
  }
  if (hash !== linkHash(previous, event) || !isCanonicalDetail(event)) {
    const message = `event ${auditId} was altered after it was sealed`
    return { kind: 'altered', position, event: auditId, message } satisfies Finding
  }
  return null
}

function gap(from: number, to: number): Finding {
  const linksText = from === to ? `link ${from} is` : `links ${from} to ${to} are`
  return { kind: 'missing', position: to, event: null, message: `${linksText} missing` }
}

/** Recorded ends that the chain does not reach or no longer has. */
function checkStoredPoint(
  storedPoint: ChainPoint,
  anchor: ChainPoint,
  last: ChainPoint,
  findings: Finding[]
) {
  if (storedPoint.position > last.position) {
    findings.push(
      storedPointFinding(storedPoint, `is beyond the end of the log, position ${last.position}`)
    )
  } else if (storedPoint.position < anchor.position) {
    findings.push(
      storedPointFinding(storedPoint, 'was removed by retention; use a later checkpoint')
    )
  } else if (storedPoint.position === anchor.position && storedPoint.hash !== anchor.hash) {
    findings.push(storedPointFinding(storedPoint, 'does not match the checkpoint'))
  }
}

function storedPointFinding({ position }: ChainPoint, reason: string): Finding {
  return { kind: 'kept', position, event: null, message: `position ${position} ${reason}` }
}

/** Events that are marked as sealed and have no link. One statement, so that both are read at one time. */
async function findInserted(findings: Finding[]): Promise<void> {
  const rows: Pick<StoredEvent, 'id'>[] = await db
    .from('zw_audit')
    .where('sealed', true)
    .whereNotExists((links) =>
      links.from('zw_audit_chain').whereColumn('zw_audit_chain.audit_id', 'zw_audit.id')
    )
    .orderBy('id')
    .limit(MAX_FINDINGS)
    .select('id')
  for (const { id } of rows) {
    const message = `event ${id} is marked as sealed, but was never sealed`
    findings.push({ kind: 'inserted', position: null, event: Number(id), message })
  }
}

/** Without events that retention removed meanwhile. */
async function withoutPruned(findings: Finding[]): Promise<Finding[]> {
  const currentEnds = findings.length > 0 ? await readEnds(db.connection()) : null
  const first = currentEnds && faultOf(currentEnds) === null ? currentEnds.anchor.position : 0
  return findings.filter(
    ({ kind, position }) => kind !== 'missing' || position === null || position > first
  )
}
