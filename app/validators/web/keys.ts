import vine from '@vinejs/vine'

const text = (most: number) => vine.string().maxLength(most).optional()
const ticks = (most: number) => vine.array(vine.string().maxLength(255)).maxLength(most).optional()

/** Forms of API keys. */
export const keyForm = vine.create({
  name: text(1_024),
  owner: text(255),
  /** `all`, `read`, or `some`: the operations that are ticked. */
  access: text(8),
  operations: ticks(10),
  /** `all`, or `some`: those of the field. */
  zone_scope: text(8),
  /** Names, one a line. */
  zones: text(260_000),
  /** Zones that were found, and ticked. */
  found: ticks(100),
  zone_q: text(255),
  find: text(8),
  name_scope: text(8),
  /** A pattern of names a line, and types behind it. */
  patterns: text(100_000),
  networks: text(10_000),
  expires_at: text(64),
  idle_days: text(16),
  tag: text(64),
  once: text(64),
})

/** Forms that do something to a key at once. */
export const keyActionForm = vine.create({ tag: text(64), once: text(64), sure: text(8) })

/** Form of the token of some hosts. */
export const hostTokenForm = vine.create({
  hostnames: text(30_000),
  txt: text(8),
  name: text(1_024),
  owner: text(255),
  networks: text(10_000),
  expires_at: text(64),
  once: text(64),
})
