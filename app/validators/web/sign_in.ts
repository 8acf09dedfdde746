import vine from '@vinejs/vine'

/** Form of /login. Whatever is too long is nobody's. */
export const signInForm = vine.create({
  username: vine.string().maxLength(255).optional(),
  password: vine.string().maxLength(4096).optional(),
  remember: vine.string().optional(),
})
