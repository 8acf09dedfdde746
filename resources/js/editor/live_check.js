/*
| Asks the server what it thinks of a record while it is typed.
*/

/** Milliseconds without a key after which it is asked. */
const PAUSE = 200

/** @typedef {{ problem: { field: string, message: string } | null, content: string | null, warnings: string[], about: { summary: string, example: string, trap: string } | null }} Verdict */

export class LiveCheck {
  #address
  #token
  #timer = 0
  /** @type {AbortController | null} */
  #running = null

  constructor(/** @type {string} */ address, /** @type {string} */ token) {
    this.#address = address
    this.#token = token
  }

  /**
   * Asks once nothing was typed for a moment; an older question is dropped.
   * @param {Record<string, string>} fields
   * @param {(verdict: Verdict) => void} tell
   */
  ask(fields, tell) {
    this.stop()
    this.#timer = window.setTimeout(() => void this.#send(fields, tell), PAUSE)
  }

  /** Wants no answer any more. */
  stop() {
    window.clearTimeout(this.#timer)
    this.#running?.abort()
    this.#running = null
  }

  /**
   * @param {Record<string, string>} fields
   * @param {(verdict: Verdict) => void} tell
   */
  async #send(fields, tell) {
    const running = new AbortController()
    this.#running = running
    try {
      const answer = await fetch(this.#address, {
        method: 'POST',
        body: new URLSearchParams({ _csrf: this.#token, ...fields }),
        headers: { accept: 'application/json' },
        redirect: 'manual',
        signal: running.signal,
      })
      if (answer.ok && this.#running === running) tell(await answer.json())
    } catch {
      // Without an answer the review tells what is wrong.
    }
  }
}
