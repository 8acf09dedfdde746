import vine from '@vinejs/vine'

const hash = () => vine.string().maxLength(128)
const reason = () => vine.string().maxLength(1024).optional()

/** Form by which an entry is taken back; without a plan's hash, at once. */
export const undoForm = vine.create({
  plan_hash: hash().optional(),
  reason: reason(),
  merge: vine.string().maxLength(1).optional(),
})

/** Form by which records become what they were after an entry. */
export const restoreForm = vine.create({
  plan_hash: hash(),
  reason: reason(),
  entry: vine
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  name: vine.string().maxLength(1024).optional(),
  type: vine.string().maxLength(32).optional(),
})

/** Form by which a deleted zone comes back. */
export const restoreZoneForm = vine.create({ plan_hash: hash(), reason: reason() })

/** Form by which a deleted zone is given up: its name, typed. */
export const discardForm = vine.create({ name: vine.string().maxLength(1024).optional() })
