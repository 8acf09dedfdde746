import vine from '@vinejs/vine'

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()

/** Form of a decision about a change request; `tag` is the version that was reviewed. */
export const requestDecisionForm = vine.create({
  comment: text(1024),
  plan_hash: text(128),
  tag: text(64),
})

/** Form of a comment on a change request, or on one of its actions. */
export const requestCommentForm = vine.create({ text: text(4096), action: text(8) })
