/*
| What somebody changed in a zone and did not apply yet. It is kept in this browser, for this user and this zone, so that
| it survives reloading and signing out.
*/

/** @typedef {{ id?: string, tag?: string, name: string, type: string, content: string, ttl: number | null, priority: number | null, disabled: boolean }} RecordData */
/** @typedef {{ key: string, action: 'create' | 'update' | 'delete', before: RecordData | null, after: RecordData }} Change */

export class Draft {
  /** @type {Map<string, Change>} */
  #changes = new Map()
  #place

  constructor(/** @type {string} */ user, /** @type {string} */ zone) {
    this.#place = `zonewright draft ${user} ${zone}`
    try {
      const kept = JSON.parse(localStorage.getItem(this.#place) ?? '[]')
      for (const change of kept) this.#changes.set(change.key, change)
    } catch {
      // What cannot be read is no draft.
    }
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
    const { key, action, before, after } = change
    const isNothing =
      action === 'update' && before !== null && JSON.stringify(before) === JSON.stringify(after)
    if (isNothing) this.#changes.delete(key)
    else this.#changes.set(key, change)
    this.#keep()
  }

  forget(/** @type {string} */ key) {
    this.#changes.delete(key)
    this.#keep()
  }

  clear() {
    this.#changes.clear()
    this.#keep()
  }

  /** As the server takes it: of a changed record only what is changed. */
  toJSON() {
    return this.changes.map(({ action, before, after }) => {
      const own = before?.id === undefined ? {} : { id: before.id, tag: before.tag }
      if (action === 'delete') return { action, ...own }
      const fields = ['name', 'type', 'content', 'ttl', 'priority', 'disabled']
      /** @type {Record<string, unknown>} */
      const wanted = { ...after }
      /** @type {Record<string, unknown>} */
      const old = { ...before }
      const changed = fields.filter((name) => wanted[name] !== old[name] && wanted[name] !== null)
      return { action, ...own, ...Object.fromEntries(changed.map((name) => [name, wanted[name]])) }
    })
  }

  #keep() {
    if (this.#changes.size === 0) localStorage.removeItem(this.#place)
    else localStorage.setItem(this.#place, JSON.stringify(this.changes))
  }
}
