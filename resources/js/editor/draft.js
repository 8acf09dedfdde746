/*
| Edits of a zone that are not yet submitted. They are stored in `localStorage` per user and zone, so they survive reload and
| sign-out. Tabs share the draft: each edit reads the stored state first.
*/

/**
 * A record: stored (`id`, `tag`) or as edited. An invalid TTL or priority is the typed text.
 * @typedef {{ id?: string, tag?: string, name: string, type: string, content: string, ttl: number | string | null, priority: number | string | null, disabled: boolean, comment: string }} RecordData
 */
/**
 * `since` is the journal entry that the edit was based on. `ptr` requests the linked PTR record.
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
  #storageKey

  constructor(/** @type {string} */ user, /** @type {string} */ zone) {
    this.#storageKey = `zonewright draft ${user} ${zone}`
    this.#read()
  }

  /** Calls `changed` when another tab changes the draft. */
  follow(/** @type {() => void} */ changed) {
    addEventListener('storage', ({ key }) => {
      if (key !== this.#storageKey && key !== null) return
      this.#read()
      changed()
    })
  }

  /** @returns {Change[]} */
  get changes() {
    return [...this.#changes.values()]
  }

  /** Number of RRsets with changes. */
  get sets() {
    const keys = this.changes.flatMap(({ before, after }) =>
      [before, after].flatMap((data) => (data ? `${data.name.toLowerCase()} ${data.type}` : []))
    )
    return new Set(keys).size
  }

  find(/** @type {string} */ key) {
    return this.#changes.get(key)
  }

  /** Stores a change. An update without differences removes it. */
  set(/** @type {Change} */ change) {
    const isNothing =
      change.action === 'update' && !change.ptr && changedFields(change).length === 0
    this.#read()
    if (isNothing) this.#changes.delete(change.key)
    else this.#changes.set(change.key, change)
    this.#save()
  }

  remove(/** @type {string} */ key) {
    this.#read()
    this.#changes.delete(key)
    this.#save()
  }

  clear() {
    this.#changes.clear()
    localStorage.removeItem(`${this.#storageKey} sent`)
    this.#save()
  }

  /** Stores the keys of the changes that are being submitted. */
  markSent(/** @type {string[]} */ keys) {
    localStorage.setItem(`${this.#storageKey} sent`, JSON.stringify(keys))
  }

  /** Removes the submitted changes after they were applied. Other changes stay pending. */
  removeSent() {
    const sent = readList(`${this.#storageKey} sent`)
    this.#read()
    for (const key of sent) this.#changes.delete(key)
    localStorage.removeItem(`${this.#storageKey} sent`)
    this.#save()
  }

  /** Replaces the submitted changes by the changes that the server returned, in the form of `toJSON`. */
  replaceSent(/** @type {Record<string, any>[]} */ changes, /** @type {string[]} */ sent) {
    for (const key of sent) this.remove(key)
    this.addAll(changes)
  }

  /** Adds changes in the form of `toJSON` to the draft. */
  addAll(/** @type {Record<string, any>[]} */ changes) {
    this.#read()
    for (const { key, action, id, tag, was, since, ptr, set: _set, ...fields } of changes) {
      const before = was ? { ...was, id, tag } : null
      const after = { ...BLANK, ...before, ...fields }
      this.#changes.set(key, { key, action, before, after, since: since ?? 0, ptr })
    }
    this.#save()
  }

  /**
   * Adds the changes of a wizard run; `set` names the group of a change. New records that an earlier run added to the same
   * set, name and type are replaced. Other edits of a record stay.
   */
  merge(/** @type {Record<string, any>[]} */ changes) {
    this.#read()
    const replacedKeys = changes.map(({ set, name, type, was }) => {
      return `new ${set} ${name ?? was.name} ${type ?? was.type}`
    })
    for (const { key, after } of this.changes) {
      const [word, set] = key.split(' ')
      const isReplaced = replacedKeys.includes(`${word} ${set} ${after.name} ${after.type}`)
      if (isReplaced) this.remove(key)
    }
    const pending = new Map(this.#changes)
    this.addAll(changes)
    for (const { key } of changes) {
      const previous = pending.get(key)
      const current = this.#changes.get(key)
      // Keeps the first `before`, so that edits by other users in between are detected.
      if (previous?.before && current)
        this.set(merged({ ...previous, before: previous.before }, current))
    }
  }

  /** The form that the server accepts. A changed record contains only the changed fields and its previous state. */
  toJSON() {
    return this.changes.map((change) => {
      const { key, action, before, after, since, ptr } = change
      const { id, tag, ...was } = before ?? {}
      const identity = before ? { id, tag, was } : {}
      if (action === 'delete') return { key, action, since, ...identity }
      /** @type {Record<string, unknown>} */
      const current = { ...after }
      const fields = changedFields(change).map((name) => [name, current[name]])
      const values = Object.fromEntries(fields)
      return { key, action, since, ...identity, ...values, ...(ptr ? { ptr } : {}) }
    })
  }

  /** Another tab may have changed the stored draft. */
  #read() {
    this.#changes = new Map(readList(this.#storageKey).map((change) => [change.key, change]))
  }

  #save() {
    if (this.#changes.size === 0) localStorage.removeItem(this.#storageKey)
    else localStorage.setItem(this.#storageKey, JSON.stringify(this.changes))
  }
}

/**
 * Combines a pending change with the change of a wizard. The wizard decides action and content; TTL and comment stay.
 * @returns {Change}
 */
function merged(
  /** @type {Change & { before: RecordData }} */ previous,
  /** @type {Change} */ { action, after }
) {
  const { before } = previous
  const { ttl, comment } = previous.after
  return { ...previous, action, after: action === 'delete' ? before : { ...after, ttl, comment } }
}

/** Default values of a new record. @type {RecordData} */
export const BLANK = {
  name: '',
  type: 'A',
  content: '',
  ttl: null,
  priority: null,
  disabled: false,
  comment: '',
}

/** @returns {string[]} names of changed fields; of a new record, the fields with a value */
function changedFields(/** @type {Change} */ { before, after }) {
  /** @type {Record<string, unknown>} */
  const current = { ...after }
  /** @type {Record<string, unknown>} */
  const old = { ...before }
  return FIELDS.filter((name) => {
    if (!before && name === 'comment') return current[name] !== ''
    return current[name] !== old[name] && current[name] !== null
  })
}

/** @returns {any[]} */
function readList(/** @type {string} */ storageKey) {
  try {
    const values = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(values) ? values : []
  } catch {
    // Unreadable storage counts as an empty draft.
    return []
  }
}
