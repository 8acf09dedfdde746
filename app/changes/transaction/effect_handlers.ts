import { externalActor } from '#access/actor'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditActor, AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import type { BackendZone } from '#backends/contract/types'
import { updateComments, loadCommentsAt } from '#changes/comments/comment_store'
import type { Origin, Author } from '#changes/model/intent'
import type { SideEffects, ZoneEffects } from '#changes/model/side_effects'
import type { RequestedLink } from '#changes/model/template_link'
import { findTemplateLink, writeTemplateLink } from '#changes/transaction/template_links'
import { enqueue } from '#changes/transaction/outbox'
import { holdRow } from '#database/rows/row_lock'
import { isSameComment } from '#dns/record_comments'

/** The author of a change set, as stored with a pending write. */
interface StoredAuthor {
  userId: number | null
  username: string
  address: string | null
  channel: Author['actor']['channel']
  keyId: number | null
  reason: string | null
  origin: Origin | null
  /** The row of its idempotency key (`recordApplied`). */
  repeatId: number | null
}

/**
 * The stored form of the author of a change set, until its writes are confirmed.
 *
 * @param repeatId row of its idempotency key, if it has one
 */
export function toStoredAuthor(
  { actor, reason, origin }: Author,
  repeatId: number | null = null
): StoredAuthor {
  const { userId, username, address, channel, key } = actor
  return { userId, username, address, channel, keyId: key?.id ?? null, reason, origin, repeatId }
}

/** Row of the idempotency key of a stored author; null without one. */
export function repeatIdOfAuthor(stored: object | null): number | null {
  return (stored as StoredAuthor | null)?.repeatId ?? null
}

/** The author from its stored form; an unknown author if none was stored. */
export function authorFromStored(stored: object | null): Author {
  const unknownAuthor = { ...externalActor(), keyId: null, reason: null, origin: null }
  const known = { ...unknownAuthor, ...(stored as StoredAuthor | null) }
  const { userId, username, address, channel, keyId, reason, origin } = known
  const key = keyId === null ? null : { id: keyId }
  return { actor: { userId, username, address, channel, key }, reason, origin }
}

/** The transaction and the actor of side effects. */
interface WriteContext {
  trx: TransactionClientContract
  actor: AuditActor
}

/** The identity of a zone row. */
type ZoneIdentity = Parameters<typeof writeTemplateLink>[2]

/** The same, with the zone. */
export interface EffectContext extends WriteContext {
  zone: BackendZone
  row: ZoneIdentity
}

/** Context of a side effect; effects on the zone need its rows. */
type ContextOf<E extends keyof SideEffects> = E extends 'template' | 'comments'
  ? EffectContext
  : WriteContext

type EffectStorers = {
  [E in keyof SideEffects]: (context: ContextOf<E>, effect: SideEffects[E]) => Promise<void>
}

/** Stores each side effect in the transaction of the write. */
export const STORE_EFFECTS: EffectStorers = {
  async template({ trx, actor, row }, template) {
    if (template) await writeTemplateLink(trx, actor, row, template)
  },
  comments: ({ trx, zone }, comments) => updateComments(trx, zone, comments),
  auditEvents: ({ trx, actor }, events) => record(trx, actor, events),
  outbox: ({ trx }, events) => enqueue(trx, events),
}

type EffectRecoverers = {
  [E in keyof SideEffects]: (
    context: EffectContext,
    effect: SideEffects[E]
  ) => SideEffects[E] | Promise<SideEffects[E]>
}

/**
 * The valid part of each side effect when a pending write is recovered. Its records are on the
 * server already, so that nothing can be refused: links and comments that another write changed are
 * left out.
 */
export const RECOVER_EFFECTS: EffectRecoverers = {
  async template({ trx, row }, template) {
    return template && (await canBeLinked(trx, row, template)) ? template : null
  },
  async comments({ trx, zone }, comments) {
    const names = comments.map(({ name }) => name)
    const stored = await loadCommentsAt(zone, names, trx)
    const valid = comments.map((set) => ({
      ...set,
      comments: set.comments.filter((comment) =>
        isSameComment(stored.commentOn(set, comment), comment.before)
      ),
    }))
    return valid.filter((set) => set.comments.length > 0)
  },
  auditEvents: (_, events) => events,
  outbox: (_, events) => events,
}

/** Stores side effects, in the transaction of the write. Throws as `writeTemplateLink` does. */
export async function storeEffects<E extends keyof SideEffects>(
  context: ContextOf<E>,
  effects: Pick<SideEffects, E>
): Promise<void> {
  for (const name of Object.keys(effects) as E[]) {
    await STORE_EFFECTS[name](context, effects[name])
  }
}

/** The side effects of a pending write that are still valid. */
export async function recoverableEffects(
  context: EffectContext,
  effects: SideEffects
): Promise<SideEffects> {
  return {
    template: await RECOVER_EFFECTS.template(context, effects.template),
    comments: await RECOVER_EFFECTS.comments(context, effects.comments),
    auditEvents: await RECOVER_EFFECTS.auditEvents(context, effects.auditEvents),
    outbox: await RECOVER_EFFECTS.outbox(context, effects.outbox),
  }
}

/** Whether there are effects that do not need a change of records or properties. */
export function hasSideEffects({ template, comments }: Pick<SideEffects, 'template' | 'comments'>) {
  return template !== null || comments.length > 0
}

/** The author of the write in one zone. */
export function authorOfZone(author: Author, effects: ZoneEffects | undefined): Author {
  return { ...author, origin: effects?.origin ?? author.origin }
}

/** Audit events from before the write, with the number of the written journal entry. */
export function withEntryNumber(events: AuditEvent[], entry: number): AuditEvent[] {
  return events.map((event) =>
    event.detail?.entry === undefined ? event : { ...event, detail: { ...event.detail, entry } }
  )
}

async function canBeLinked(
  trx: TransactionClientContract,
  { uid }: ZoneIdentity,
  { templateId, from }: RequestedLink
): Promise<boolean> {
  await holdRow(trx, 'zw_zone_templates', templateId)
  const template: unknown = await trx.from('zw_zone_templates').where('id', templateId).first()
  const known = await findTemplateLink(trx, uid)
  const isUnchanged = from === undefined || JSON.stringify(from) === JSON.stringify(known)
  return Boolean(template) && isUnchanged
}
