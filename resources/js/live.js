/*
| What others change while a page is open. It is told in words, with a button that shows it: nothing is loaded by itself, and
| what is being typed stays. All windows of a browser share one connection: one holds the lock and tells the others.
*/
import { element } from './html.js'

/** A page that nobody has looked at for so long listens no more, until somebody does. */
const HIDDEN_MS = 5 * 60_000
const RETRY_MS = 3_000
const LONGEST_RETRY_MS = 60_000
/** How long a window waits to become the one that listens, before it asks for itself what it missed. */
const LEAD_MS = 500
/** Between a change and the moment from which streams tell of it, at most. */
const SEALED_MS = 5_000

/** @typedef {{ id: number, type: string, time: string, zone_id: number | null, entry: number | null, group_id?: number, user_id?: number, actor: { username: string } | null }} LiveEvent */

export function live(/** @type {Document} */ page) {
  const place = page.querySelector('[data-live]')
  if (place instanceof HTMLElement) new Live(page, place)
}

class Live {
  #page
  #place
  /** @type {string[]} */
  #types
  #last
  /** Position after which it may have missed what another window was told; null where it may not. */
  #missed = /** @type {number | null} */ (null)
  #channel
  /** @type {AbortController | null} */
  #joined = null
  #timer = 0

  constructor(/** @type {Document} */ page, /** @type {HTMLElement} */ place) {
    this.#page = page
    this.#place = place
    this.#types = (place.dataset.live ?? '').split(',')
    this.#last = Number(place.dataset.after)
    this.#missed = this.#last
    this.#channel = new BroadcastChannel(`zonewright live ${place.dataset.user ?? ''}`)
    this.#channel.addEventListener('message', ({ data }) => this.#take(data))
    page.addEventListener('visibilitychange', () => this.#onVisibilityChange())
    window.addEventListener('pagehide', () => {
      // A page that is kept for going back to hears nothing.
      this.#missed ??= this.#last
      this.#leave()
    })
    window.addEventListener('pageshow', () => this.#onVisibilityChange())
    this.#onVisibilityChange()
  }

  #onVisibilityChange() {
    window.clearTimeout(this.#timer)
    if (!this.#page.hidden) this.#join()
    else if (!navigator.locks) this.#leave()
    else this.#timer = window.setTimeout(() => this.#leave(), HIDDEN_MS)
  }

  #join() {
    if (this.#joined) return
    const joined = new AbortController()
    const { signal } = joined
    this.#joined = joined
    const listen = () => this.#listen(signal)
    // Without locks, which take HTTPS, each window listens for itself while somebody looks at it.
    const listening = navigator.locks
      ? navigator.locks.request(this.#channel.name, { signal }, listen)
      : listen()
    const ended = () => {
      if (this.#joined === joined) this.#joined = null
    }
    listening.then(ended, ended)
    if (navigator.locks) void this.#catchUp(signal)
  }

  /** Reads once what another window was told before this one heard it, if another one listens. */
  async #catchUp(/** @type {AbortSignal} */ signal) {
    await waited(LEAD_MS, signal)
    if (signal.aborted || this.#missed === null) return
    const after = this.#missed
    this.#missed = null
    try {
      await this.#read('/live?follow=false', after, signal, (event) => event && this.#take(event))
    } catch {
      // What happens from now on is heard.
    }
  }

  #leave() {
    this.#joined?.abort()
    this.#joined = null
  }

  /** Listens until the session has ended, or this window leaves. */
  async #listen(/** @type {AbortSignal} */ signal) {
    this.#last = this.#missed ?? this.#last
    this.#missed = null
    const hear = this.#hear.bind(this)
    let pause = RETRY_MS
    while (!signal.aborted) {
      const began = Date.now()
      try {
        if (!(await this.#read('/live', this.#last, signal, hear))) return
      } catch {
        // Cut off: it goes on from the last event.
      }
      pause =
        Date.now() - began > LONGEST_RETRY_MS ? RETRY_MS : Math.min(2 * pause, LONGEST_RETRY_MS)
      await waited(pause * (0.5 + Math.random()), signal)
    }
  }

  /** Reads one stream to its end; whether it is worth another one. */
  async #read(
    /** @type {string} */ address,
    /** @type {number} */ after,
    /** @type {AbortSignal} */ signal,
    /** @type {(event: LiveEvent | null, id: number | null) => void} */ hear
  ) {
    const answer = await fetch(address, {
      headers: { 'accept': 'text/event-stream', 'last-event-id': String(after) },
      signal,
    })
    if (answer.status === 401 || answer.status === 403) return false
    if (!answer.ok || !answer.body) return true
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return true
      const parts = (text + value).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s)))
        hear(fields.data ? JSON.parse(fields.data) : null, fields.id ? Number(fields.id) : null)
      }
    }
  }

  #hear(/** @type {LiveEvent | null} */ event, /** @type {number | null} */ id) {
    if (id !== null) this.#last = id
    if (!event) return
    this.#channel.postMessage(event)
    this.#take(event)
  }

  #take(/** @type {LiveEvent} */ event) {
    this.#last = Math.max(this.#last, event.id)
    if (this.#isNewerThanPage(event)) this.#tell(event)
  }

  /** Whether the page shows what was before that event. */
  #isNewerThanPage(/** @type {LiveEvent} */ event) {
    const { zone, group, user = '', at = '', after } = this.#place.dataset
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
      // Beside its members the page of a group shows who might be one.
      if (!this.#page.querySelector(`[data-user-entry="${event.user_id}"]`)) return false
    } else if (group !== undefined || event.type === 'zone.changed') {
      // A list tells of the zones that it has.
      if (!this.#page.querySelector(`main a[href="/zones/${event.zone_id}"]`)) return false
    }
    const isOthers = event.actor !== null && event.actor.username !== user
    const margin = isOthers ? SEALED_MS : 0
    return Date.parse(event.time) > Date.parse(at) - margin
  }

  #tell(/** @type {LiveEvent} */ { type, actor }) {
    const { user, zone, show = '', leave = '', ...words } = this.#place.dataset
    const who = actor?.username ?? null
    const isGone = zone !== undefined && type === 'zone.deleted'
    const [by, byYou, byNobody] = isGone
      ? [words.goneBy, words.goneByYou, words.goneByNobody]
      : [words.by, words.byYou, words.byNobody]
    const text = who === null ? byNobody : who === user ? byYou : by?.replace('{name}', () => who)
    const button = element('button', { type: 'button', class: 'button' }, [isGone ? leave : show])
    button.addEventListener('click', () => (isGone ? location.assign('/zones') : this.#show()))
    this.#place.replaceChildren(element('p', {}, [text ?? '']), button)
  }

  /** Loads the page anew; where something is typed that would be lost, in another window. */
  #show() {
    const { zone, form } = this.#place.dataset
    // The answer to a form cannot be loaded anew.
    if (form !== undefined && zone) window.open(`/zones/${zone}`, '_blank', 'noopener')
    else if (isTyped(this.#page)) window.open(location.href, '_blank', 'noopener')
    else location.reload()
  }
}

/** Whether a form of the page, other than a search, holds something else than it came with. */
function isTyped(/** @type {Document} */ page) {
  const fields = page.querySelectorAll('main form:not([role=search]) :is(input, textarea, select)')
  return [...fields].some((field) => {
    if (field instanceof HTMLSelectElement) {
      const first = field.querySelector('option[selected]') ?? field.options.item(0)
      return field.selectedOptions.item(0) !== first
    }
    if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue
    if (!(field instanceof HTMLInputElement) || field.type === 'hidden') return false
    // What can be ticked has a value without anybody's doing.
    return ['checkbox', 'radio'].includes(field.type)
      ? field.checked !== field.defaultChecked
      : field.value !== field.defaultValue
  })
}

/** Resolves after a time, or with the signal. */
function waited(/** @type {number} */ milliseconds, /** @type {AbortSignal} */ signal) {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer)
      resolve(undefined)
    })
  })
}
