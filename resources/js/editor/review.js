/*
| The review dialog. The server renders its content. Each form in the dialog is sent to the server, and the response replaces
| the content, until the draft is applied.
*/
import { element, fragment, isOwnPage } from '../html.js'

/** @typedef {import('./record_row.js').Texts} Texts */
/** @typedef {{ sending: (keys: string[]) => void, rebased: (changes: any[]) => void, applied: () => void }} Listener */

export class Review {
  #dialog
  #texts
  #listener
  #isBusy = false

  constructor(
    /** @type {HTMLDialogElement} */ dialog,
    /** @type {Texts} */ texts,
    /** @type {Listener} */ listener
  ) {
    this.#dialog = dialog
    this.#texts = texts
    this.#listener = listener
    dialog.addEventListener('click', (event) => {
      if (!(event.target instanceof Element) || !event.target.closest('[data-back]')) return
      event.preventDefault()
      dialog.close()
    })
    dialog.addEventListener('submit', (event) => {
      const form = event.target
      if (!(form instanceof HTMLFormElement)) return
      event.preventDefault()
      const { submitter } = event
      const hasOwnAddress =
        submitter instanceof HTMLButtonElement && submitter.hasAttribute('formaction')
      const address = hasOwnAddress ? submitter.formAction : form.action
      const body = bodyOf(form, submitter)
      if (address.endsWith('/apply')) this.#listener.sending(keysIn(body))
      void this.ask(address, body)
    })
    dialog.addEventListener('change', (event) => {
      const box = event.target
      if (!(box instanceof HTMLInputElement) || box.name !== 'pick') return
      const previewButton = box.form?.querySelector('[data-again]')
      if (previewButton instanceof HTMLButtonElement) box.form?.requestSubmit(previewButton)
    })
  }

  /** Requests the review and shows the response or the error. Ignored while a request is running. */
  async ask(/** @type {string} */ address, /** @type {URLSearchParams} */ body) {
    if (this.#isBusy) return
    this.#isBusy = true
    this.#dialog.setAttribute('aria-busy', 'true')
    try {
      const response = await fetch(address, {
        method: 'POST',
        body,
        headers: { 'accept': 'text/html', 'x-fragment': 'plan' },
        redirect: 'manual',
      })
      await this.#show(response, address, body)
    } catch {
      this.#showError(this.#texts.unreachable, this.#retryButton(address, body))
    } finally {
      this.#isBusy = false
      this.#dialog.removeAttribute('aria-busy')
    }
  }

  async #show(
    /** @type {Response} */ response,
    /** @type {string} */ address,
    /** @type {URLSearchParams} */ body
  ) {
    if (response.headers.get('x-fragment') === 'plan') {
      // The review came back, so no change was applied.
      this.#listener.sending([])
      return this.#fill(fragment(await response.text()))
    }
    if (response.type === 'opaqueredirect') {
      // The server redirects to the zone after the draft was applied.
      return this.#listener.applied()
    }
    if (response.status === 401) {
      this.#listener.sending([])
      const link = element('a', { class: 'button primary', href: location.href }, [
        this.#texts.sign_in,
      ])
      return this.#showError(this.#texts.signed_out, link)
    }
    const isServerPage = isOwnPage(response.headers.get('content-security-policy'))
    const messages = isServerPage ? messagesOf(fragment(await response.text())) : []
    const text = [`${this.#texts.not_answered} ${response.status}`, ...messages].join(': ')
    return this.#showError(text, this.#retryButton(address, body))
  }

  #retryButton(/** @type {string} */ address, /** @type {URLSearchParams} */ body) {
    const button = element('button', { class: 'button', type: 'button' }, [this.#texts.retry])
    button.addEventListener('click', () => void this.ask(address, body))
    return button
  }

  #showError(/** @type {string} */ text, /** @type {Node} */ action) {
    const notice = element('div', { class: 'notice error', role: 'alert' }, [
      element('p', {}, [text]),
      element('p', {}, [this.#texts.draft_stays]),
    ])
    this.#fill([element('div', { class: 'stack' }, [notice, element('p', {}, [action])])])
  }

  #fill(/** @type {Node[]} */ nodes) {
    const container = this.#dialog.querySelector('[data-review]')
    const focused = document.activeElement?.id ?? ''
    container?.replaceChildren(...nodes)
    const rebased = container?.querySelector('[data-rebased]')
    if (rebased instanceof HTMLElement) {
      this.#listener.rebased(JSON.parse(rebased.dataset.rebased ?? '[]'))
    }
    if (!this.#dialog.open) this.#dialog.showModal()
    else (document.getElementById(focused) ?? this.#dialog).focus()
  }
}

/** Heading and messages of an error page. @returns {string[]} */
function messagesOf(/** @type {Node[]} */ page) {
  const main = page.find((node) => node instanceof HTMLElement && node.matches('main'))
  const texts = main instanceof HTMLElement ? main.querySelectorAll('h1, p.wrap-anywhere') : []
  return [...texts].map(({ textContent }) => textContent?.trim() ?? '')
}

function bodyOf(
  /** @type {HTMLFormElement} */ form,
  /** @type {HTMLElement | null} */ submitter = null
) {
  const body = new URLSearchParams()
  for (const [name, value] of new FormData(form, submitter)) body.append(name, String(value))
  return body
}

/** @returns {string[]} keys of the changes that a form applies: all, or the selected ones */
function keysIn(/** @type {URLSearchParams} */ body) {
  const changes = JSON.parse(body.get('changes') ?? '[]')
  const selected = body.has('picking') ? body.getAll('pick') : null
  return changes.flatMap((/** @type {{ key?: string }} */ { key }, /** @type {number} */ index) =>
    key !== undefined && (selected === null || selected.includes(String(index))) ? [key] : []
  )
}
