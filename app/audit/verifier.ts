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
  /** Events that wait to be sealed, and are protected by nothing yet. */
  unsealed: number
  /** The end of the chain; null if it is unknown. */
  head: ChainPoint | null
  /** Events up to this position were removed by retention. */
  anchor: ChainPoint | null
  /** Where the next check continues; null if all links were checked. */
  next: ChainPoint | null
}

/** Which part of the log is checked. */
export interface VerifiedPart {
  /** The point after which it begins, as `next` of the part before gave it; else the whole log. */
  from?: ChainPoint
  /** Maximum number of links. */
  most?: number
}

/** Maximum number of listed errors. The check ends after it. */
export const MAX_FINDINGS = 1000

/**
 * Verifies the log, all of it by default, by its chain, in constant memory. The last part also searches for events that were
 * never sealed.
 *
 * @param kept an end that `audit:verify` printed before: the only proof against a restored older state of the whole log
 */
export async function verifyLog(
  kept: ChainPoint | null = null,
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
    ? await verifyLinks(ends, kept, findings, part)
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
  kept: ChainPoint | null,
  findings: Finding[],
  { from, most = Infinity }: VerifiedPart
): Promise<{ verified: number; next: ChainPoint | null }> {
  const end = Math.max(head.position, last.position)
  // Events before the anchor may have been removed meanwhile.
  let before: ChainPoint = from && from.position > anchor.position ? from : anchor
  let verified = 0
  let looked = 0
  for await (const link of linksAfter(db.connection(), before.position, end)) {
    if (findings.length >= MAX_FINDINGS) {
      return { verified, next: null }
    }
    looked += 1
    if (looked > most) {
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
    if (kept?.position === link.position && kept.hash !== link.hash) {
      findings.push(storedPointFinding(kept, 'does not match the checkpoint'))
    }
    before = link
  }
  if (before.position < head.position) {
    findings.push(gap(before.position + 1, head.position))
  }
  if (kept) {
    checkStoredPoint(kept, anchor, before, findings)
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
  const where = from === to ? `link ${from} is` : `links ${from} to ${to} are`
  return { kind: 'missing', position: to, event: null, message: `${where} missing` }
}

/** Recorded ends that the chain does not reach or no longer has. */
function checkStoredPoint(
  kept: ChainPoint,
  anchor: ChainPoint,
  last: ChainPoint,
  findings: Finding[]
) {
  if (kept.position > last.position) {
    findings.push(
      storedPointFinding(kept, `is beyond the end of the log, position ${last.position}`)
    )
  } else if (kept.position < anchor.position) {
    findings.push(storedPointFinding(kept, 'was removed by retention; use a later checkpoint'))
  } else if (kept.position === anchor.position && kept.hash !== anchor.hash) {
    findings.push(storedPointFinding(kept, 'does not match the checkpoint'))
  }
}

function storedPointFinding({ position }: ChainPoint, what: string): Finding {
  return { kind: 'kept', position, event: null, message: `position ${position} ${what}` }
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
  const now = findings.length > 0 ? await readEnds(db.connection()) : null
  const first = now && faultOf(now) === null ? now.anchor.position : 0
  return findings.filter(
    ({ kind, position }) => kind !== 'missing' || position === null || position > first
  )
}
