import vine from '@vinejs/vine'

const hash = () => vine.string().maxLength(128)
const reason = () => vine.string().maxLength(1024).optional()

/** Form of an undo; without a plan hash, at once. */
export const undoForm = vine.create({
  plan_hash: hash().optional(),
  reason: reason(),
  merge: vine.string().maxLength(1).optional(),
})

/** Form that restores records to their state after an entry. */
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

/** Form that restores a deleted zone. */
export const restoreZoneForm = vine.create({ plan_hash: hash(), reason: reason() })

/** Form that deletes a zone permanently; requires its name. */
export const discardForm = vine.create({ name: vine.string().maxLength(1024).optional() })
