import vine from '@vinejs/vine'

const text = (most: number) => vine.string().maxLength(most).optional()

/** Form of the first administrator. */
export const firstRunForm = vine.create({
  token: text(256),
  username: text(1024),
  password: text(4096),
  repeated: text(4096),
  sample: text(8),
})
