/*
| A row that is being typed in: fields as the type has them, checked by the server meanwhile.
*/
import { element } from '../html.js'
import { contentOf, partsOf } from './rdata.js'
import { CELLS, replaceCells } from './record_row.js'
import { seconds, ttlText } from './ttl.js'

/** @typedef {import('./draft.js').RecordData} RecordData */
/** @typedef {import('./record_row.js').Texts} Texts */
/** @typedef {{ texts: Texts, types: HTMLTemplateElement | null, check: import('./live_check.js').LiveCheck, isNew: boolean, ptr: boolean }} Terms */

const PTR_TYPES = ['A', 'AAAA']

export class RowForm {
  #data
  #terms
  /** @type {Record<string, HTMLInputElement | HTMLSelectElement>} */
  #inputs = {}
  /** @type {HTMLInputElement[]} */
  #parts = []
  #fields = element('div', { class: 'rdata-fields' })
  #verdict = element('div', { class: 'row-check', role: 'status' })
  #about = element('p', { class: 'hint' })
  #disabled
  #ptr
  #comment

  constructor(
    /** @type {HTMLTableRowElement} */ row,
    /** @type {RecordData} */ data,
    /** @type {Terms} */ terms
  ) {
    this.#data = data
    this.#terms = terms
    const { texts } = terms
    this.#disabled = tick(data.disabled)
    this.#ptr = tick(terms.ptr)
    this.#comment = input(texts.comment, data.comment, { maxlength: texts.comment_limit })
    const cells = CELLS.map(([field, kind]) => {
      const cell = element('td', { 'class': kind, 'data-label': texts[field] })
      if (field === 'content') cell.append(...this.#contentCell())
      else cell.append((this.#inputs[field] = this.#field(field)))
      return cell
    })
    replaceCells(row, cells)
    this.#adopt(data.content)
    row.oninput = () => this.#ask()
    this.#inputs.type.addEventListener('change', () => this.#adopt(this.#content))
    this.#ask()
  }

  /** Puts the focus into a field. */
  focus(/** @type {string} */ field) {
    const wanted = field === 'content' ? this.#parts[0] : this.#inputs[field]
    const target = wanted && !wanted.disabled ? wanted : this.#inputs.name
    target.focus()
    if (target instanceof HTMLInputElement) target.select()
  }

  /** @returns {RecordData} */
  read() {
    const { name, type, ttl, priority } = this.#inputs
    const number = priority.disabled ? '' : priority.value.trim()
    return {
      ...this.#data,
      name: name.value.trim() || '@',
      type: type.value,
      content: this.#content,
      ttl: seconds(ttl.value) ?? this.#data.ttl,
      priority: number === '' ? null : Number(number),
      disabled: this.#disabled.checked,
      comment: this.#comment.value.trim(),
    }
  }

  /** Whether the PTR record is asked for. */
  get wantsPtr() {
    return this.#ptr.checked && PTR_TYPES.includes(this.#inputs.type.value)
  }

  get #content() {
    return contentOf(this.#parts.map(({ value }) => value))
  }

  get #option() {
    const options = this.#terms.types?.content.querySelectorAll('option') ?? []
    return [...options].find(({ value }) => value === this.#inputs.type.value)
  }

  #field(/** @type {'name' | 'type' | 'ttl' | 'priority'} */ field) {
    const { texts, types, isNew } = this.#terms
    const value = this.#data[field]
    const text = value === null ? '' : field === 'ttl' ? ttlText(Number(value)) : String(value)
    if (field === 'type' && isNew && types) {
      const choice = /** @type {HTMLSelectElement} */ (
        element('select', { 'class': 'input', 'aria-label': texts.type }, [
          types.content.cloneNode(true),
        ])
      )
      choice.value = text
      return choice
    }
    const made = input(texts[field], text)
    if (field === 'type') made.readOnly = true
    if (field === 'ttl') made.placeholder = texts.ttl_default
    if (field === 'priority') made.inputMode = 'numeric'
    return made
  }

  #contentCell() {
    const { texts } = this.#terms
    const ticks = element('div', { class: 'row-ticks' }, [
      element('label', { class: 'check' }, [this.#disabled, texts.disabled]),
      element('label', { 'class': 'check', 'data-ptr': true }, [this.#ptr, texts.ptr]),
    ])
    const comment = element('label', { class: 'rdata-field wide' }, [
      element('span', {}, [texts.comment]),
      this.#comment,
    ])
    return [this.#fields, comment, ticks, this.#verdict, this.#about]
  }

  /** Shows the fields that the type has, with this content in them. */
  #adopt(/** @type {string} */ content) {
    const { texts } = this.#terms
    const option = this.#option
    const type = this.#inputs.type.value
    /** @type {string[]} */
    const names = JSON.parse(option?.dataset.fields ?? '[]')
    const isParted = names.length > 1
    const values = isParted ? partsOf(content, names.length) : [content]
    this.#parts = values.map((value, index) =>
      input(isParted ? names[index] : texts.content, value)
    )
    const fields = this.#parts.map((part, index) =>
      isParted
        ? element(
            'label',
            { class: index === names.length - 1 ? 'rdata-field wide' : 'rdata-field' },
            [element('span', {}, [names[index]]), part]
          )
        : part
    )
    this.#fields.replaceChildren(...fields)
    const { priority } = this.#inputs
    priority.disabled = option?.dataset.priority === 'false'
    priority.hidden = priority.disabled
    if (priority.disabled) priority.value = ''
    const ptr = this.#ptr.closest('label')
    if (ptr instanceof HTMLElement) {
      ptr.hidden = texts.ptr_off === 'true' || !PTR_TYPES.includes(type)
    }
  }

  #ask() {
    const { name, type, ttl, priority } = this.#inputs
    const fields = {
      id: this.#data.id ?? '',
      name: name.value,
      type: type.value,
      content: this.#content,
      ttl: ttl.value,
      priority: priority.value,
    }
    this.#terms.check.ask(fields, (verdict) => this.#tell(verdict))
  }

  /** The field of the content that a message is about: the one that it names, or the first. */
  #partNamed(/** @type {string} */ message) {
    const named = this.#parts.find((part) => message.includes(`the ${part.ariaLabel} `))
    return named ?? this.#parts[0]
  }

  #tell(/** @type {import('./live_check.js').Verdict} */ { problem, content, warnings, about }) {
    const { texts } = this.#terms
    const places = { ...this.#inputs, content: this.#partNamed(problem?.message ?? '') }
    for (const part of this.#parts) part.removeAttribute('aria-invalid')
    for (const [field, place] of Object.entries(places)) {
      // What was not typed yet is not wrong yet.
      const isWrong = problem?.field === field && place.value.trim() !== ''
      if (isWrong) place.setAttribute('aria-invalid', 'true')
      else place.removeAttribute('aria-invalid')
    }
    const isUntyped = this.#content === '' && problem?.field === 'content'
    const kept = content !== null && content !== this.#content
    const lines = [
      ...(problem && !isUntyped ? [element('p', { class: 'problem' }, [problem.message])] : []),
      ...(kept ? [element('p', { class: 'hint' }, [`${texts.kept_as} ${content}`])] : []),
      ...warnings.map((text) => element('p', { class: 'hint warned' }, [text])),
    ]
    this.#verdict.replaceChildren(...lines)
    this.#about.textContent = about
      ? `${about.summary}. ${texts.example} ${about.example}. ${texts.trap} ${about.trap}.`
      : ''
  }
}

function tick(/** @type {boolean} */ checked) {
  const made = /** @type {HTMLInputElement} */ (
    element('input', { type: 'checkbox', class: 'tick' })
  )
  made.checked = checked
  return made
}

/**
 * @param {string} label
 * @param {string} value
 * @param {Record<string, string>} more
 */
function input(label, value, more = {}) {
  const made = /** @type {HTMLInputElement} */ (
    element('input', {
      'class': 'input',
      'aria-label': label,
      'spellcheck': 'false',
      'autocapitalize': 'none',
      'autocomplete': 'off',
      ...more,
    })
  )
  made.value = value
  return made
}
