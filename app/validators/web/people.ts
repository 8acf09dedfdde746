import vine from '@vinejs/vine'

const text = (most: number) => vine.string().maxLength(most).optional()
const ids = (most: number) => vine.array(vine.string().maxLength(10)).maxLength(most).optional()

/** What was shown of the object that a form changes. */
const tag = text(64)

/** Forms of a new user, and of one that there is. */
export const userForm = vine.create({
  tag,
  username: text(1_024),
  fullname: text(1_024),
  email: text(1_024),
  description: text(4_096),
  password: text(4_096),
  /** The own password, for what takes it again. */
  current: text(4_096),
  /** Which ticks the form had: one that is not there says nothing. */
  ticks: text(64),
  active: text(8),
  use_ldap: text(8),
  template: text(16),
  groups: ids(50),
  group: text(300),
})

/** Form that gives a user another permission template. */
export const userTemplateForm = vine.create({ tag, template: text(16), sure: text(8) })

/** Form that puts a user into a group, or takes them out. */
export const userGroupForm = vine.create({ add: text(300), remove: text(16) })

/** Form that deletes a user: who gets the zones. */
export const userDeletionForm = vine.create({
  sure: text(8),
  heir: text(300),
  /** The zones that have a field of their own, with commas; the fields are read by these. */
  zones: text(20_000),
})

/** Form that deletes something. */
export const deletionForm = vine.create({ tag, sure: text(8) })

/** Forms of a group. */
export const groupForm = vine.create({
  tag,
  name: text(1_024),
  description: text(4_096),
  template: text(16),
})

/** Ticks of members or zones of a group. */
export const groupPartsForm = vine.create({ add: ids(500), remove: ids(500) })

/** Forms of a permission template; its rights have fields of their own. */
export const templateForm = vine.create({
  tag,
  name: text(1_024),
  description: text(4_096),
  type: text(8),
  ticks: vine.array(vine.string().maxLength(64)).maxLength(200).optional(),
})

/** Form that ends a session of a user; all of them where none is named. */
export const sessionEndForm = vine.create({ session: text(16) })
