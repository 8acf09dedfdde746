/*
| A row that is being typed in: fields as the type has them, checked by the server meanwhile.
*/
import { element } from '../html.js'
import { contentOf, partsOf } from './rdata.js'
import { CELLS, replaceCells, shownField } from './record_row.js'
import { area, ENGLISH, inEnglish, inLatin, input, tick } from './row_fields.js'
import { RowNumbers } from './row_numbers.js'

/** @typedef {import('./draft.js').RecordData} RecordData */
/** @typedef {import('./record_row.js').Texts} Texts */
/** @typedef {{ texts: Texts, types: HTMLTemplateElement | null, check: import('./live_check.js').LiveCheck, stored: RecordData | null, ptr: boolean }} Terms */

const PTR_TYPES = ['A', 'AAAA']

export class RowForm {
  #data
  #terms
  #inputs
  /** @type {(HTMLInputElement | HTMLTextAreaElement)[]} */
  #parts = []
  #fields = element('div', { class: 'rdata-fields' })
  #verdict = element('div', { class: 'row-check', role: 'status' })
  #about = element('p', { class: 'hint' })
  #disabled
  #ptr
  #comment
  #numbers

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
    const ttl = this.#input('ttl')
    const priority = this.#input('priority')
    ttl.placeholder = texts.ttl_default
    priority.inputMode = 'numeric'
    this.#numbers = new RowNumbers(terms.stored, { ttl, priority }, texts)
    this.#inputs = { name: this.#input('name'), type: this.#typeField(), ttl, priority }
    const cells = CELLS.map(([field, kind]) => {
      const cell = element('td', { 'class': kind, 'data-label': texts[field] })
      if (field === 'content') cell.append(...this.#contentCell())
      else cell.append(this.#inputs[field])
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
    /** @type {Record<string, HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>} */
    const inputs = this.#inputs
    const wanted = field === 'content' ? this.#parts[0] : inputs[field]
    const target = wanted && !wanted.disabled ? wanted : this.#inputs.name
    target.focus()
    if (!(target instanceof HTMLSelectElement)) target.select()
  }

  /** Tells of a number that is none, at its field. @returns {boolean} whether there is one */
  refuse() {
    return this.#numbers.refuse()
  }

  /** @returns {RecordData} */
  read() {
    const { name, type } = this.#inputs
    return {
      ...this.#data,
      name: name.value.trim() || '@',
      type: type.value,
      content: this.#content,
      ttl: this.#numbers.read('ttl'),
      priority: this.#numbers.read('priority'),
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

  #input(/** @type {'name' | 'type' | 'ttl' | 'priority'} */ field) {
    return input(this.#terms.texts[field], shownField(this.#data, field))
  }

  #typeField() {
    const { texts, types, stored } = this.#terms
    if (stored || !types) {
      const made = this.#input('type')
      made.readOnly = true
      return made
    }
    const choice = /** @type {HTMLSelectElement} */ (
      element('select', { 'class': 'input', 'aria-label': texts.type }, [
        types.content.cloneNode(true),
      ])
    )
    choice.value = this.#data.type
    return choice
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
    return [this.#fields, comment, ticks, this.#numbers.told, this.#verdict, this.#about]
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
    this.#parts = values.map((value, index) => {
      const label = isParted ? names[index] : texts.content
      return index === values.length - 1 ? area(label, value) : input(label, value)
    })
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
    this.#numbers.tell()
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
    const wrong = /** @type {string[]} */ (this.#numbers.wrong)
    for (const part of this.#parts) part.removeAttribute('aria-invalid')
    for (const [field, place] of Object.entries(places)) {
      // What was not typed yet is not wrong yet.
      const isTyped = problem?.field === field && place.value.trim() !== ''
      const isWrong = isTyped || wrong.includes(field)
      if (isWrong) place.setAttribute('aria-invalid', 'true')
      else place.removeAttribute('aria-invalid')
    }
    const isUntyped = this.#content === '' && problem?.field === 'content'
    const isShown = isUntyped || wrong.includes(problem?.field ?? '')
    const kept = content !== null && content !== this.#content
    const lines = [
      ...(problem && !isShown
        ? [element('p', { class: 'problem', ...ENGLISH }, [problem.message])]
        : []),
      ...(kept ? [element('p', { class: 'hint' }, [`${texts.kept_as} `, inLatin(content)])] : []),
      ...warnings.map((text) => element('p', { class: 'hint warned', ...ENGLISH }, [text])),
    ]
    this.#verdict.replaceChildren(...lines)
    const messages = about
      ? [
          inEnglish(`${about.summary}.`),
          ` ${texts.example} `,
          inLatin(about.example),
          `. ${texts.trap} `,
          inEnglish(`${about.trap}.`),
        ]
      : []
    this.#about.replaceChildren(...messages)
  }
}
