import vine from '@vinejs/vine'

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()

/** Form that retries outbox events: one, or all that failed. */
export const outboxForm = vine.create({ id: text(16) })

/** Form of a webhook; types separated by lines or commas. */
export const webhookForm = vine.create({
  name: text(1024),
  url: text(4096),
  types: text(8192),
  enabled: text(8),
  tag: text(64),
  once: text(64),
})

/** Form that replaces the secret of a webhook. */
export const webhookSecretForm = vine.create({ sure: text(8), once: text(64) })

/** Form that continues the verification of the audit log. */
export const verifyForm = vine.create({
  position: text(16),
  hash: text(64),
  verified: text(16),
  kept: text(128),
})
