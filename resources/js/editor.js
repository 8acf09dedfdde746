/*
| The editor of a zone: rows are changed in place, several at once, and reviewed together.
*/
import { Draft } from './draft.js'
import { element, fragment } from './html.js'
import { showRow, typeInRow } from './record_row.js'

/** Makes the table of a zone's records an editor, where there is one. */
export function editor(/** @type {Document} */ page) {
  const frame = page.querySelector('[data-editor]')
  const bar = page.querySelector('form[data-draft]')
  const body = frame?.querySelector('tbody')
  if (frame instanceof HTMLElement && bar instanceof HTMLFormElement && body) {
    new Editor(page, frame, bar, body)
  }
}

class Editor {
  #page
  #frame
  #bar
  #body
  #draft
  /** @type {Record<string, string>} */
  #texts
  #types
  #dialog

  constructor(
    /** @type {Document} */ page,
    /** @type {HTMLElement} */ frame,
    /** @type {HTMLFormElement} */ bar,
    /** @type {HTMLTableSectionElement} */ body
  ) {
    this.#page = page
    this.#frame = frame
    this.#bar = bar
    this.#body = body
    const zone = frame.dataset.editor ?? ''
    this.#draft = new Draft(bar.dataset.user ?? '', zone)
    this.#texts = JSON.parse(bar.dataset.texts ?? '{}')
    this.#types = /** @type {HTMLTemplateElement | null} */ (
      page.querySelector('template[data-types]')
    )
    this.#dialog = page.querySelector('dialog#review')
    if (page.querySelector(`[data-applied="${CSS.escape(zone)}"]`)) this.#draft.clear()
    this.#listen()
    this.#showDraft()
  }

  #listen() {
    this.#frame.addEventListener('click', (event) => this.#onClick(event))
    this.#frame.addEventListener('submit', (event) => this.#onDelete(event))
    this.#page.querySelector('[data-add]')?.addEventListener('click', (event) => {
      event.preventDefault()
      this.#add()
    })
    this.#bar.addEventListener('submit', (event) => {
      event.preventDefault()
      void this.#review()
    })
    this.#bar.querySelector('[data-discard]')?.addEventListener('click', () => {
      this.#draft.clear()
      this.#page.location.reload()
    })
    this.#page.addEventListener('keydown', (event) => {
      if (event.key === 's' && (event.ctrlKey || event.metaKey) && !this.#bar.hidden) {
        event.preventDefault()
        void this.#review()
      }
    })
    this.#dialog?.addEventListener('click', (event) => {
      const back = event.target instanceof Element && event.target.closest('[data-back]')
      if (!back || !(this.#dialog instanceof HTMLDialogElement)) return
      event.preventDefault()
      this.#dialog.close()
    })
  }

  /** Rows of this page show what the draft makes of them. */
  #showDraft() {
    for (const row of this.#body.querySelectorAll('tr[data-record]')) {
      const data = dataOf(row)
      const change = data && this.#draft.find(data.id ?? '')
      if (change && row instanceof HTMLTableRowElement) this.#mark(row, change)
    }
    for (const change of this.#draft.changes.filter(({ action }) => action === 'create')) {
      this.#mark(this.#newRow(change.key), change)
    }
    this.#count()
  }

  #onClick(/** @type {MouseEvent} */ event) {
    const target = event.target instanceof Element ? event.target : null
    const row = target?.closest('tr')
    if (!row || !target) return
    if (target.closest('[data-edit]')) {
      event.preventDefault()
      this.#edit(row)
    } else if (target.closest('[data-keep]')) {
      this.#keep(row)
    }
  }

  #onDelete(/** @type {SubmitEvent} */ event) {
    const form = event.target
    const row = form instanceof HTMLFormElement && form.closest('tr')
    if (!row) return
    event.preventDefault()
    const key = keyOf(row)
    const before = dataOf(row)
    if (!before) {
      this.#draft.forget(key)
      row.remove()
    } else {
      const change = { key, action: /** @type {const} */ ('delete'), before, after: before }
      this.#draft.set(change)
      this.#mark(row, change)
    }
    this.#count()
  }

  #add() {
    const key = `new ${Date.now()} ${this.#body.rows.length}`
    this.#frame.querySelector('.empty')?.remove()
    this.#edit(this.#newRow(key))
  }

  #newRow(/** @type {string} */ key) {
    const row = /** @type {HTMLTableRowElement} */ (element('tr', { 'data-new': key }))
    row.append(element('td', { class: 'tight row-actions' }))
    this.#body.prepend(row)
    return row
  }

  /** Lets a row be typed in; Enter and "Done" end that, Escape and "Cancel" take it back. */
  #edit(/** @type {HTMLTableRowElement} */ row) {
    const key = keyOf(row)
    const before = dataOf(row)
    const known = this.#draft.find(key)
    const blank = { name: '', type: 'A', content: '', ttl: null, priority: null, disabled: false }
    const data = known?.after ?? before ?? blank
    const { first, read } = typeInRow(row, data, {
      texts: this.#texts,
      types: this.#types,
      isNew: before === null,
    })
    row.className = 'editing'
    const done = () => {
      /** @type {'update' | 'create'} */
      const action = before ? 'update' : 'create'
      const change = { key, action, before, after: read() }
      this.#draft.set(change)
      row.onkeydown = null
      this.#mark(row, change)
      row.querySelector('button')?.focus()
      this.#count()
    }
    const cancel = () => {
      row.onkeydown = null
      if (known) this.#mark(row, known)
      else if (before) this.#keep(row)
      else row.remove()
    }
    this.#actions(row, [
      ['done', done],
      ['cancel', cancel],
    ])
    row.onkeydown = (event) => {
      if (event.target instanceof HTMLButtonElement) return
      if (event.key === 'Enter') {
        event.preventDefault()
        done()
      } else if (event.key === 'Escape') {
        cancel()
      }
    }
    first.focus()
    if (first instanceof HTMLInputElement) first.select()
  }

  /** A row as its change makes it. */
  #mark(/** @type {HTMLTableRowElement} */ row, /** @type {import('./draft.js').Change} */ change) {
    const isChanged = this.#draft.find(change.key) !== undefined
    showRow(row, change.after, this.#texts)
    row.className = change.action === 'delete' ? 'doomed' : isChanged ? 'dirty' : ''
    const edit = () => this.#edit(row)
    const keep = () => this.#keep(row)
    if (change.action === 'delete') this.#actions(row, [['keep', keep]])
    else this.#actions(row, [['edit', edit], ...(isChanged ? [['cancel', keep]] : [])])
  }

  /** A row as it is at the server. */
  #keep(/** @type {HTMLTableRowElement} */ row) {
    this.#draft.forget(keyOf(row))
    const data = dataOf(row)
    if (!data) row.remove()
    else {
      row.className = ''
      showRow(row, data, this.#texts)
      this.#actions(row, [
        ['edit', () => this.#edit(row)],
        // A zone without its SOA record is none.
        ...(data.type === 'SOA' ? [] : [['delete', () => this.#doom(row)]]),
      ])
      row.querySelector('button')?.focus()
    }
    this.#count()
  }

  #doom(/** @type {HTMLTableRowElement} */ row) {
    const before = dataOf(row)
    if (!before) return
    const change = {
      key: keyOf(row),
      action: /** @type {const} */ ('delete'),
      before,
      after: before,
    }
    this.#draft.set(change)
    this.#mark(row, change)
    this.#count()
  }

  #actions(/** @type {HTMLTableRowElement} */ row, /** @type {any[]} */ actions) {
    const buttons = actions.map(([name, act]) => {
      const button = element('button', { class: 'button plain', type: 'button' }, [
        this.#texts[name],
      ])
      button.addEventListener('click', act)
      return button
    })
    const place = row.querySelector('.row-actions')
    place?.replaceChildren(element('div', { class: 'actions' }, buttons))
  }

  #count() {
    const changes = this.#draft.changes.length
    const { sets } = this.#draft
    this.#bar.hidden = changes === 0
    const say = (/** @type {string} */ name, /** @type {number} */ count) =>
      (this.#texts[`${name}_${count === 1 ? 'one' : 'many'}`] ?? '').replace(
        `{${name}}`,
        String(count)
      )
    const place = this.#bar.querySelector('[data-draft-count]')
    if (place) place.textContent = `${say('changes', changes)} ${say('sets', sets)}`
  }

  /** Asks the server what the draft would do, and shows it. */
  async #review() {
    const fields = new FormData(this.#bar)
    fields.set('changes', JSON.stringify(this.#draft))
    const body = new URLSearchParams()
    for (const [name, value] of fields) body.set(name, String(value))
    const answer = await fetch(this.#bar.action, {
      method: 'POST',
      body,
      headers: { 'accept': 'text/html', 'x-fragment': 'plan' },
    })
    const place = this.#dialog?.querySelector('[data-review]')
    if (answer.redirected || !place || !(this.#dialog instanceof HTMLDialogElement)) {
      // Signed out meanwhile: the draft stays.
      this.#page.location.assign('/login')
      return
    }
    place.replaceChildren(...fragment(await answer.text()))
    this.#dialog.showModal()
  }
}

/** @returns {import('./draft.js').RecordData | null} null for a row that is not at the server yet */
function dataOf(/** @type {Element} */ row) {
  const text = row instanceof HTMLElement ? row.dataset.record : undefined
  return text === undefined ? null : JSON.parse(text)
}

function keyOf(/** @type {HTMLElement} */ row) {
  return dataOf(row)?.id ?? row.dataset.new ?? ''
}
