/*
| Notices about changes by others while a page is open. A button loads them; nothing is loaded automatically, so unsaved input
| stays. All windows of a browser share one connection: the window with the lock listens and forwards the events.
*/
import { element } from './html.js'

/** A window that is hidden for this time stops listening until it is visible again. */
const MAX_HIDDEN_MS = 5 * 60_000
const RETRY_MS = 3_000
const MAX_RETRY_MS = 60_000
/** Time in which a window may get the lock, before it requests the missed events itself. */
const LOCK_WAIT_MS = 500
/** Maximum time between a change and its event in the stream. */
const MAX_EVENT_DELAY_MS = 5_000

/** @typedef {{ id: number, type: string, time: string, zone_id: number | null, entry: number | null, group_id?: number, user_id?: number, actor: { username: string } | null }} LiveEvent */

export function live(/** @type {Document} */ page) {
  const container = page.querySelector('[data-live]')
  if (container instanceof HTMLElement) new Live(page, container)
}

class Live {
  #page
  #container
  /** @type {string[]} */
  #types
  #last
  /** Event id after which events may be missing; null if none are missing. */
  #missedAfter = /** @type {number | null} */ (null)
  #channel
  /** @type {AbortController | null} */
  #connection = null
  #timer = 0

  constructor(/** @type {Document} */ page, /** @type {HTMLElement} */ container) {
    this.#page = page
    this.#container = container
    this.#types = (container.dataset.live ?? '').split(',')
    this.#last = Number(container.dataset.after)
    this.#missedAfter = this.#last
    this.#channel = new BroadcastChannel(`zonewright live ${container.dataset.user ?? ''}`)
    this.#channel.addEventListener('message', ({ data }) => this.#handle(data))
    page.addEventListener('visibilitychange', () => this.#onVisibilityChange())
    window.addEventListener('pagehide', () => {
      // A page in the back-forward cache receives no events.
      this.#missedAfter ??= this.#last
      this.#disconnect()
    })
    window.addEventListener('pageshow', () => this.#onVisibilityChange())
    this.#onVisibilityChange()
  }

  #onVisibilityChange() {
    window.clearTimeout(this.#timer)
    if (!this.#page.hidden) this.#connect()
    else if (!navigator.locks) this.#disconnect()
    else this.#timer = window.setTimeout(() => this.#disconnect(), MAX_HIDDEN_MS)
  }

  #connect() {
    if (this.#connection) return
    const connection = new AbortController()
    const { signal } = connection
    this.#connection = connection
    const listen = () => this.#listen(signal)
    // The Web Locks API requires HTTPS. Without it, each visible window listens for itself.
    const listening = navigator.locks
      ? navigator.locks.request(this.#channel.name, { signal }, listen)
      : listen()
    const ended = () => {
      if (this.#connection === connection) this.#connection = null
    }
    listening.then(ended, ended)
    if (navigator.locks) void this.#catchUp(signal)
  }

  /** Reads the events since the page was rendered once, if another window has the lock. */
  async #catchUp(/** @type {AbortSignal} */ signal) {
    await wait(LOCK_WAIT_MS, signal)
    if (signal.aborted || this.#missedAfter === null) return
    const after = this.#missedAfter
    this.#missedAfter = null
    try {
      await this.#read('/live?follow=false', after, signal, (event) => event && this.#handle(event))
    } catch {
      // The stream delivers all later events.
    }
  }

  #disconnect() {
    this.#connection?.abort()
    this.#connection = null
  }

  /** Listens until the session ends or `signal` aborts. */
  async #listen(/** @type {AbortSignal} */ signal) {
    this.#last = this.#missedAfter ?? this.#last
    this.#missedAfter = null
    const onEvent = this.#forward.bind(this)
    let pause = RETRY_MS
    while (!signal.aborted) {
      const startedAt = Date.now()
      try {
        if (!(await this.#read('/live', this.#last, signal, onEvent))) return
      } catch {
        // The connection failed. The next one continues after the last event.
      }
      pause = Date.now() - startedAt > MAX_RETRY_MS ? RETRY_MS : Math.min(2 * pause, MAX_RETRY_MS)
      await wait(pause * (0.5 + Math.random()), signal)
    }
  }

  /** Reads one stream to its end. Returns false if the user may not read it, so that a retry is useless. */
  async #read(
    /** @type {string} */ address,
    /** @type {number} */ after,
    /** @type {AbortSignal} */ signal,
    /** @type {(event: LiveEvent | null, id: number | null) => void} */ onEvent
  ) {
    const response = await fetch(address, {
      headers: { 'accept': 'text/event-stream', 'last-event-id': String(after) },
      signal,
    })
    if (response.status === 401 || response.status === 403) return false
    if (!response.ok || !response.body) return true
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return true
      const parts = (text + value).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s)))
        onEvent(fields.data ? JSON.parse(fields.data) : null, fields.id ? Number(fields.id) : null)
      }
    }
  }

  #forward(/** @type {LiveEvent | null} */ event, /** @type {number | null} */ id) {
    if (id !== null) this.#last = id
    if (!event) return
    this.#channel.postMessage(event)
    this.#handle(event)
  }

  #handle(/** @type {LiveEvent} */ event) {
    this.#last = Math.max(this.#last, event.id)
    if (this.#isNewerThanPage(event)) this.#showNotice(event)
  }

  /** Whether the event is newer than the data on the page. */
  #isNewerThanPage(/** @type {LiveEvent} */ event) {
    const { zone, group, user = '', at = '', after } = this.#container.dataset
    if (event.type === 'gap') return true
    const isOfType = this.#types.some((type) => `${event.type}.`.startsWith(`${type}.`))
    if (!isOfType || event.id <= Number(after)) return false
    if (zone !== undefined) {
      if (event.zone_id !== Number(zone)) return false
      const shown = this.#page.querySelector('[data-entry]')
      if (shown instanceof HTMLElement && event.entry !== null) {
        return event.entry > Number(shown.dataset.entry)
      }
    } else if (group !== undefined && event.group_id !== undefined) {
      if (event.group_id !== Number(group)) return false
    } else if (group !== undefined && event.user_id !== undefined) {
      // The page of a group also lists users who could be added.
      if (!this.#page.querySelector(`[data-user-entry="${event.user_id}"]`)) return false
    } else if (group !== undefined || event.type === 'zone.changed') {
      // A list shows notices only for the zones that it lists.
      if (!this.#page.querySelector(`main a[href="/zones/${event.zone_id}"]`)) return false
    }
    const isByOther = event.actor !== null && event.actor.username !== user
    const margin = isByOther ? MAX_EVENT_DELAY_MS : 0
    return Date.parse(event.time) > Date.parse(at) - margin
  }

  #showNotice(/** @type {LiveEvent} */ { type, actor }) {
    const { user, zone, show = '', leave = '', ...words } = this.#container.dataset
    const username = actor?.username ?? null
    const isDeleted = zone !== undefined && type === 'zone.deleted'
    const [by, byYou, byNobody] = isDeleted
      ? [words.goneBy, words.goneByYou, words.goneByNobody]
      : [words.by, words.byYou, words.byNobody]
    const text =
      username === null
        ? byNobody
        : username === user
          ? byYou
          : by?.replace('{name}', () => username)
    const button = element('button', { type: 'button', class: 'button' }, [
      isDeleted ? leave : show,
    ])
    button.addEventListener('click', () => (isDeleted ? location.assign('/zones') : this.#show()))
    this.#container.replaceChildren(element('p', {}, [text ?? '']), button)
  }

  /** Reloads the page. Opens a new window instead if unsaved input would be lost. */
  #show() {
    const { zone, form } = this.#container.dataset
    // The response to a form cannot be reloaded.
    if (form !== undefined && zone) window.open(`/zones/${zone}`, '_blank', 'noopener')
    else if (isTyped(this.#page)) window.open(location.href, '_blank', 'noopener')
    else location.reload()
  }
}

/** Whether a form other than a search has unsaved input. */
function isTyped(/** @type {Document} */ page) {
  const fields = page.querySelectorAll('main form:not([role=search]) :is(input, textarea, select)')
  return [...fields].some((field) => {
    if (field instanceof HTMLSelectElement) {
      const first = field.querySelector('option[selected]') ?? field.options.item(0)
      return field.selectedOptions.item(0) !== first
    }
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
    if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false
    // The value of a checkbox does not change when it is selected.
    return ['checkbox', 'radio'].includes(field.type)
      ? field.checked !== field.defaultChecked
      : field.value !== field.defaultValue
  })
}

/** Resolves after a time, or when `signal` aborts. */
function wait(/** @type {number} */ milliseconds, /** @type {AbortSignal} */ signal) {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer)
      resolve(undefined)
    })
  })
}
