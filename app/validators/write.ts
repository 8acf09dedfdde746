import vine from '@vinejs/vine'
import { writeMembers } from '#validators/fields'

/** Body of a write without members of its own: DELETE. */
export const writeValidator = vine.create(writeMembers())
