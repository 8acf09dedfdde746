import vine from '@vinejs/vine'

/** Form of /login. Longer values match no account. */
export const signInForm = vine.create({
  username: vine.string().maxLength(255).optional(),
  password: vine.string().maxLength(4096).optional(),
  remember: vine.string().optional(),
})

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()

/** Form of the first administrator. */
export const firstRunForm = vine.create({
  token: text(256),
  username: text(1024),
  password: text(4096),
  repeated: text(4096),
  sample: text(8),
})
