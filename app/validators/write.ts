import vine from '@vinejs/vine'
import { writeMembers } from '#validators/fields'

/** Body of a write that has no members of its own: DELETE. */
export const writeValidator = vine.create(writeMembers())
