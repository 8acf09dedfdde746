import vine from '@vinejs/vine'

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()
const ids = (maxLength: number) =>
  vine.array(vine.string().maxLength(10)).maxLength(maxLength).optional()

/** Version of the object that the form was loaded with. */
const tag = text(64)

/** Forms of a new user and of an existing one. */
export const userForm = vine.create({
  tag,
  username: text(1_024),
  fullname: text(1_024),
  email: text(1_024),
  description: text(4_096),
  password: text(4_096),
  /** The password of the actor, for changes that require it. */
  current: text(4_096),
  /** The checkboxes that the form contained: a missing one has no meaning. */
  ticks: text(64),
  active: text(8),
  use_ldap: text(8),
  template: text(16),
  groups: ids(50),
  group: text(300),
})

/** Form that assigns a permission template to a user. */
export const userTemplateForm = vine.create({ tag, template: text(16), sure: text(8) })

/** Form that adds a user to a group or removes the user. */
export const userGroupForm = vine.create({ add: text(300), remove: text(16) })

/** Form that deletes a user, with the new owners of the zones. */
export const userDeletionForm = vine.create({
  sure: text(8),
  heir: text(300),
  /** Zones with a field of their own, separated by commas. */
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

/** Selected members or zones of a group. */
export const groupPartsForm = vine.create({ add: ids(500), remove: ids(500) })

/** Forms of a permission template; its permissions have separate fields. */
export const templateForm = vine.create({
  tag,
  name: text(1_024),
  description: text(4_096),
  type: text(8),
  ticks: vine.array(vine.string().maxLength(64)).maxLength(200).optional(),
})

/** Form that ends a session of a user; all without an id. */
export const sessionEndForm = vine.create({ session: text(16) })
