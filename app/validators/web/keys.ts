import vine from '@vinejs/vine'

const text = (maxLength: number) => vine.string().maxLength(maxLength).optional()
const ticks = (maxLength: number) =>
  vine.array(vine.string().maxLength(255)).maxLength(maxLength).optional()

/** Forms of API keys. */
export const keyForm = vine.create({
  name: text(1_024),
  owner: text(255),
  /** `all`, `read`, or `some`: the selected operations. */
  access: text(8),
  operations: ticks(10),
  /** `all`, or `some`: the zones of the field. */
  zone_scope: text(8),
  /** One name per line. */
  zones: text(260_000),
  /** Selected zones of the search. */
  found: ticks(100),
  zone_q: text(255),
  find: text(8),
  name_scope: text(8),
  /** One name pattern per line, followed by types. */
  patterns: text(100_000),
  networks: text(10_000),
  expires_at: text(64),
  idle_days: text(16),
  tag: text(64),
  once: text(64),
})

/** Forms of actions on a key. */
export const keyActionForm = vine.create({ tag: text(64), once: text(64), sure: text(8) })

/** Form of a host token. */
export const hostTokenForm = vine.create({
  hostnames: text(30_000),
  txt: text(8),
  name: text(1_024),
  owner: text(255),
  networks: text(10_000),
  expires_at: text(64),
  once: text(64),
})
