import vine from '@vinejs/vine'

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()

/** Form of the preferences; an empty value selects the default of the installation. */
export const preferencesForm = vine.create({
  rows_per_page: text(8),
  theme: text(16),
  time_zone: text(64),
  language: text(16),
  review_mail: text(8),
})

/** Form of a new password. */
export const passwordForm = vine.create({
  current: text(4096),
  wanted: text(4096),
  repeated: text(4096),
})

/** Form of a code of an authenticator, or a recovery code. */
export const codeForm = vine.create({ code: text(64) })

/** Form that enables a second factor. */
export const newFactorForm = vine.create({ code: text(64), password: text(4096) })

/** Form that requests a password reset. */
export const forgottenForm = vine.create({ who: text(1024) })

/** Form of a new password after a reset. */
export const resetForm = vine.create({ wanted: text(4096), repeated: text(4096) })
