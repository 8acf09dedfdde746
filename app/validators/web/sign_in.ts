import vine from '@vinejs/vine'

/** Form of /login. Longer values match no account. */
export const signInForm = vine.create({
  username: vine.string().maxLength(255).optional(),
  password: vine.string().maxLength(4096).optional(),
  remember: vine.string().optional(),
})
