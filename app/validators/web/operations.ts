import vine from '@vinejs/vine'

const text = (most: number) => vine.string().maxLength(most).optional()

/** Form that tries events of the outbox again: one, or all that failed. */
export const outboxForm = vine.create({ id: text(16) })

/** Form of a webhook; types one a line or with commas between them. */
export const webhookForm = vine.create({
  name: text(1024),
  url: text(4096),
  types: text(8192),
  enabled: text(8),
  tag: text(64),
  once: text(64),
})

/** Form that gives a webhook another secret. */
export const webhookSecretForm = vine.create({ sure: text(8), once: text(64) })

/** Form that goes on with checking the audit log, from where it was. */
export const verifyForm = vine.create({
  position: text(16),
  hash: text(64),
  verified: text(16),
  kept: text(128),
})
