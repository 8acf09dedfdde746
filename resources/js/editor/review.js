/*
| The dialog that shows what a draft would do. The server makes what is in it; each form of it goes to the server and
| comes back as the next state of the dialog, until the draft is applied.
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
      const leads = submitter instanceof HTMLButtonElement && submitter.hasAttribute('formaction')
      const address = leads ? submitter.formAction : form.action
      const body = bodyOf(form, submitter)
      if (address.endsWith('/apply')) this.#listener.sending(keysIn(body))
      void this.ask(address, body)
    })
    dialog.addEventListener('change', (event) => {
      const box = event.target
      if (!(box instanceof HTMLInputElement) || box.name !== 'pick') return
      const again = box.form?.querySelector('[data-again]')
      if (again instanceof HTMLButtonElement) box.form?.requestSubmit(again)
    })
  }

  /** Asks the server, and shows what it says; also that it says nothing. */
  async ask(/** @type {string} */ address, /** @type {URLSearchParams} */ body) {
    if (this.#isBusy) return
    this.#isBusy = true
    this.#dialog.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(address, {
        method: 'POST',
        body,
        headers: { 'accept': 'text/html', 'x-fragment': 'plan' },
        redirect: 'manual',
      })
      await this.#show(answer, address, body)
    } catch {
      this.#say(this.#texts.unreachable, this.#again(address, body))
    } finally {
      this.#isBusy = false
      this.#dialog.removeAttribute('aria-busy')
    }
  }

  async #show(
    /** @type {Response} */ answer,
    /** @type {string} */ address,
    /** @type {URLSearchParams} */ body
  ) {
    if (answer.headers.get('x-fragment') === 'plan') {
      // Nothing was applied.
      this.#listener.sending([])
      return this.#fill(fragment(await answer.text()))
    }
    if (answer.type === 'opaqueredirect') {
      // A draft that was applied leads back to the zone.
      return this.#listener.applied()
    }
    if (answer.status === 401) {
      this.#listener.sending([])
      const link = element('a', { class: 'button primary', href: location.href }, [
        this.#texts.sign_in,
      ])
      return this.#say(this.#texts.signed_out, link)
    }
    const isOwn = isOwnPage(answer.headers.get('content-security-policy'))
    const words = isOwn ? wordsOf(fragment(await answer.text())) : []
    const text = [`${this.#texts.not_answered} ${answer.status}`, ...words].join(': ')
    return this.#say(text, this.#again(address, body))
  }

  #again(/** @type {string} */ address, /** @type {URLSearchParams} */ body) {
    const button = element('button', { class: 'button', type: 'button' }, [this.#texts.retry])
    button.addEventListener('click', () => void this.ask(address, body))
    return button
  }

  #say(/** @type {string} */ text, /** @type {Node} */ action) {
    const notice = element('div', { class: 'notice error', role: 'alert' }, [
      element('p', {}, [text]),
      element('p', {}, [this.#texts.draft_stays]),
    ])
    this.#fill([element('div', { class: 'stack' }, [notice, element('p', {}, [action])])])
  }

  #fill(/** @type {Node[]} */ nodes) {
    const place = this.#dialog.querySelector('[data-review]')
    const focused = document.activeElement?.id ?? ''
    place?.replaceChildren(...nodes)
    const rebased = place?.querySelector('[data-rebased]')
    if (rebased instanceof HTMLElement) {
      this.#listener.rebased(JSON.parse(rebased.dataset.rebased ?? '[]'))
    }
    if (!this.#dialog.open) this.#dialog.showModal()
    else (document.getElementById(focused) ?? this.#dialog).focus()
  }
}

/** What a page of an error says. @returns {string[]} */
function wordsOf(/** @type {Node[]} */ page) {
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

/** @returns {string[]} keys of the changes that a form applies */
function keysIn(/** @type {URLSearchParams} */ body) {
  const changes = JSON.parse(body.get('changes') ?? '[]')
  const ticked = body.has('picking') ? body.getAll('pick') : null
  return changes.flatMap((/** @type {{ key?: string }} */ { key }, /** @type {number} */ index) =>
    key !== undefined && (ticked === null || ticked.includes(String(index))) ? [key] : []
  )
}
