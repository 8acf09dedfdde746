/*
| Checks a record on the server while the user types.
*/

/** Milliseconds without input before a check is sent. */
const PAUSE_MS = 200

/** @typedef {{ problem: { field: string, message: string } | null, content: string | null, warnings: string[], about: { summary: string, example: string, trap: string } | null }} Verdict */

export class LiveCheck {
  #address
  #token
  #timer = 0
  /** @type {AbortController | null} */
  #request = null

  constructor(/** @type {string} */ address, /** @type {string} */ token) {
    this.#address = address
    this.#token = token
  }

  /**
   * Checks the fields after a pause in typing. A newer call cancels an older one.
   * @param {Record<string, string>} fields
   * @param {(verdict: Verdict) => void} show
   */
  ask(fields, show) {
    this.stop()
    this.#timer = window.setTimeout(() => void this.#send(fields, show), PAUSE_MS)
  }

  /** Cancels the running check. */
  stop() {
    window.clearTimeout(this.#timer)
    this.#request?.abort()
    this.#request = null
  }

  /**
   * @param {Record<string, string>} fields
   * @param {(verdict: Verdict) => void} show
   */
  async #send(fields, show) {
    const request = new AbortController()
    this.#request = request
    try {
      const response = await fetch(this.#address, {
        method: 'POST',
        body: new URLSearchParams({ _csrf: this.#token, ...fields }),
        headers: { accept: 'application/json' },
        redirect: 'manual',
        signal: request.signal,
      })
      if (response.ok && this.#request === request) show(await response.json())
    } catch {
      // Without a response the review reports the errors.
    }
  }
}
