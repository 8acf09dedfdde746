/*
| What somebody changed in a zone and did not apply yet. It is kept in this browser, for this user and this zone, so that
| it survives reloading and signing out. Tabs share it: each change is made to what is stored at that moment.
*/

/**
 * A record: as it is at the server (`id`, `tag`), or as it is to be. A TTL or a priority that is none is the text that was typed.
 * @typedef {{ id?: string, tag?: string, name: string, type: string, content: string, ttl: number | string | null, priority: number | string | null, disabled: boolean, comment: string }} RecordData
 */
/**
 * `since` is the entry of the zone's history from which on others may have changed it; `ptr` asks for the PTR record.
 * @typedef {{ key: string, action: 'create' | 'update' | 'delete', before: RecordData | null, after: RecordData, since: number, ptr?: boolean }} Change
 */

const FIELDS = /** @type {const} */ ([
  'name',
  'type',
  'content',
  'ttl',
  'priority',
  'disabled',
  'comment',
])

export class Draft {
  /** @type {Map<string, Change>} */
  #changes = new Map()
  #place

  constructor(/** @type {string} */ user, /** @type {string} */ zone) {
    this.#place = `zonewright draft ${user} ${zone}`
    this.#read()
  }

  /** Has it called when another tab changed the draft. */
  follow(/** @type {() => void} */ changed) {
    addEventListener('storage', ({ key }) => {
      if (key !== this.#place && key !== null) return
      this.#read()
      changed()
    })
  }

  /** @returns {Change[]} */
  get changes() {
    return [...this.#changes.values()]
  }

  /** How many RRsets it touches. */
  get sets() {
    const keys = this.changes.flatMap(({ before, after }) =>
      [before, after].flatMap((data) => (data ? `${data.name.toLowerCase()} ${data.type}` : []))
    )
    return new Set(keys).size
  }

  find(/** @type {string} */ key) {
    return this.#changes.get(key)
  }

  /** Takes a change in; one that changes nothing is left out. */
  set(/** @type {Change} */ change) {
    const isNothing =
      change.action === 'update' && !change.ptr && changedFields(change).length === 0
    this.#read()
    if (isNothing) this.#changes.delete(change.key)
    else this.#changes.set(change.key, change)
    this.#keep()
  }

  forget(/** @type {string} */ key) {
    this.#read()
    this.#changes.delete(key)
    this.#keep()
  }

  clear() {
    this.#changes.clear()
    localStorage.removeItem(`${this.#place} sent`)
    this.#keep()
  }

  /** Notes which changes are on their way to be applied. */
  sending(/** @type {string[]} */ keys) {
    localStorage.setItem(`${this.#place} sent`, JSON.stringify(keys))
  }

  /** Forgets the changes that were sent and are applied; what was not sent was not applied either. */
  settle() {
    const sent = kept(`${this.#place} sent`)
    this.#read()
    for (const key of sent) this.#changes.delete(key)
    localStorage.removeItem(`${this.#place} sent`)
    this.#keep()
  }

  /** What was sent becomes what the server made of it: changes as `toJSON` gives them. */
  become(/** @type {Record<string, any>[]} */ changes, /** @type {string[]} */ sent) {
    for (const key of sent) this.forget(key)
    this.take(changes)
  }

  /** Takes in changes as `toJSON` gives them, beside those that are there. */
  take(/** @type {Record<string, any>[]} */ changes) {
    this.#read()
    for (const { key, action, id, tag, was, since, ptr, set: _set, ...fields } of changes) {
      const before = was ? { ...was, id, tag } : null
      const after = { ...BLANK, ...before, ...fields }
      this.#changes.set(key, { key, action, before, after, since: since ?? 0, ptr })
    }
    this.#keep()
  }

  /**
   * Takes in what a wizard made, each change with the `set` of records that it is of. Records that an earlier run was to make,
   * whose keys have the same `set`, go; and what else was changed of a record stays so.
   */
  merge(/** @type {Record<string, any>[]} */ changes) {
    this.#read()
    const places = changes.map(({ set, name, type, was }) => {
      return `new ${set} ${name ?? was.name} ${type ?? was.type}`
    })
    for (const { key, after } of this.changes) {
      const [word, set] = key.split(' ')
      const isReplaced = places.includes(`${word} ${set} ${after.name} ${after.type}`)
      if (isReplaced) this.forget(key)
    }
    const pending = new Map(this.#changes)
    this.take(changes)
    for (const { key } of changes) {
      const known = pending.get(key)
      const made = this.#changes.get(key)
      // What was seen at first is kept, so that a change by others in between is noticed.
      if (known?.before && made) this.set(merged({ ...known, before: known.before }, made))
    }
  }

  /** As the server takes it: of a changed record only what is changed, and what it was. */
  toJSON() {
    return this.changes.map((change) => {
      const { key, action, before, after, since, ptr } = change
      const { id, tag, ...was } = before ?? {}
      const own = before ? { id, tag, was } : {}
      if (action === 'delete') return { key, action, since, ...own }
      /** @type {Record<string, unknown>} */
      const wanted = { ...after }
      const fields = changedFields(change).map((name) => [name, wanted[name]])
      const values = Object.fromEntries(fields)
      return { key, action, since, ...own, ...values, ...(ptr ? { ptr } : {}) }
    })
  }

  /** What is stored may be of another tab. */
  #read() {
    this.#changes = new Map(kept(this.#place).map((change) => [change.key, change]))
  }

  #keep() {
    if (this.#changes.size === 0) localStorage.removeItem(this.#place)
    else localStorage.setItem(this.#place, JSON.stringify(this.changes))
  }
}

/**
 * A pending change of a record with what a wizard makes of it: that decides what the record is, and TTL and comment stay.
 * @returns {Change}
 */
function merged(
  /** @type {Change & { before: RecordData }} */ known,
  /** @type {Change} */ { action, after }
) {
  const { before } = known
  const { ttl, comment } = known.after
  return { ...known, action, after: action === 'delete' ? before : { ...after, ttl, comment } }
}

/** A record of which nothing is known yet. @type {RecordData} */
export const BLANK = {
  name: '',
  type: 'A',
  content: '',
  ttl: null,
  priority: null,
  disabled: false,
  comment: '',
}

/** @returns {string[]} the fields that the change gives; those of a new record that say something */
function changedFields(/** @type {Change} */ { before, after }) {
  /** @type {Record<string, unknown>} */
  const wanted = { ...after }
  /** @type {Record<string, unknown>} */
  const old = { ...before }
  return FIELDS.filter((name) => {
    if (!before && name === 'comment') return wanted[name] !== ''
    return wanted[name] !== old[name] && wanted[name] !== null
  })
}

/** @returns {any[]} */
function kept(/** @type {string} */ place) {
  try {
    const values = JSON.parse(localStorage.getItem(place) ?? '[]')
    return Array.isArray(values) ? values : []
  } catch {
    // What cannot be read is no draft.
    return []
  }
}
