/*
| A row in edit mode: fields of the record type. The server checks the input while the user types.
*/
import { element } from '../html.js'
import { contentOf, partsOf } from './rdata.js'
import { CELLS, replaceCells, shownField } from './record_row.js'
import { area, ENGLISH, inEnglish, inLatin, input, checkbox } from './row_fields.js'
import { RowNumbers } from './row_numbers.js'

/** @typedef {import('./draft.js').RecordData} RecordData */
/** @typedef {import('./record_row.js').Texts} Texts */
/** @typedef {{ texts: Texts, types: HTMLTemplateElement | null, check: import('./live_check.js').LiveCheck, stored: RecordData | null, ptr: boolean }} Context */

const PTR_TYPES = ['A', 'AAAA']

export class RowForm {
  #data
  #context
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
    /** @type {Context} */ context
  ) {
    this.#data = data
    this.#context = context
    const { texts } = context
    this.#disabled = checkbox(data.disabled)
    this.#ptr = checkbox(context.ptr)
    this.#comment = input(texts.comment, data.comment, { maxlength: texts.comment_limit })
    const ttl = this.#input('ttl')
    const priority = this.#input('priority')
    ttl.placeholder = texts.ttl_default
    priority.inputMode = 'numeric'
    this.#numbers = new RowNumbers(context.stored, { ttl, priority }, texts)
    this.#inputs = { name: this.#input('name'), type: this.#typeField(), ttl, priority }
    const cells = CELLS.map(([field, kind]) => {
      const cell = element('td', { 'class': kind, 'data-label': texts[field] })
      if (field === 'content') cell.append(...this.#contentCell())
      else cell.append(this.#inputs[field])
      return cell
    })
    replaceCells(row, cells)
    this.#showContentFields(data.content)
    row.oninput = () => this.#check()
    this.#inputs.type.addEventListener('change', () => this.#showContentFields(this.#content))
    this.#check()
  }

  /** Focuses a field. */
  focus(/** @type {string} */ field) {
    /** @type {Record<string, HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>} */
    const inputs = this.#inputs
    const selected = field === 'content' ? this.#parts[0] : inputs[field]
    const target = selected && !selected.disabled ? selected : this.#inputs.name
    target.focus()
    if (!(target instanceof HTMLSelectElement)) target.select()
  }

  /** Shows an invalid number and focuses its field. @returns {boolean} whether a number is invalid */
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

  /** Whether the linked PTR record is requested. */
  get wantsPtr() {
    return this.#ptr.checked && PTR_TYPES.includes(this.#inputs.type.value)
  }

  get #content() {
    return contentOf(this.#parts.map(({ value }) => value))
  }

  get #option() {
    const options = this.#context.types?.content.querySelectorAll('option') ?? []
    return [...options].find(({ value }) => value === this.#inputs.type.value)
  }

  #input(/** @type {'name' | 'type' | 'ttl' | 'priority'} */ field) {
    return input(this.#context.texts[field], shownField(this.#data, field))
  }

  #typeField() {
    const { texts, types, stored } = this.#context
    if (stored || !types) {
      const field = this.#input('type')
      field.readOnly = true
      return field
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
    const { texts } = this.#context
    const ticks = element('div', { class: 'row-ticks' }, [
      element('label', { class: 'check' }, [this.#disabled, texts.disabled]),
      element('label', { 'class': 'check', 'data-ptr': true }, [this.#ptr, texts.ptr]),
    ])
    const comment = element('label', { class: 'rdata-field wide' }, [
      element('span', {}, [texts.comment]),
      this.#comment,
    ])
    return [this.#fields, comment, ticks, this.#numbers.messages, this.#verdict, this.#about]
  }

  /** Shows the fields of the selected type, filled with `content`. */
  #showContentFields(/** @type {string} */ content) {
    const { texts } = this.#context
    const option = this.#option
    const type = this.#inputs.type.value
    /** @type {string[]} */
    const names = JSON.parse(option?.dataset.fields ?? '[]')
    const hasParts = names.length > 1
    const values = hasParts ? partsOf(content, names.length) : [content]
    this.#parts = values.map((value, index) => {
      const label = hasParts ? names[index] : texts.content
      return index === values.length - 1 ? area(label, value) : input(label, value)
    })
    const fields = this.#parts.map((part, index) =>
      hasParts
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

  #check() {
    this.#numbers.showMessages()
    const { name, type, ttl, priority } = this.#inputs
    const fields = {
      id: this.#data.id ?? '',
      name: name.value,
      type: type.value,
      content: this.#content,
      ttl: ttl.value,
      priority: priority.value,
    }
    this.#context.check.ask(fields, (verdict) => this.#showVerdict(verdict))
  }

  /** Finds the content field that a message names. The default is the first field. */
  #partNamed(/** @type {string} */ message) {
    const named = this.#parts.find((part) => message.includes(`the ${part.ariaLabel} `))
    return named ?? this.#parts[0]
  }

  #showVerdict(
    /** @type {import('./live_check.js').Verdict} */ { problem, content, warnings, about }
  ) {
    const { texts } = this.#context
    const inputs = { ...this.#inputs, content: this.#partNamed(problem?.message ?? '') }
    const invalid = /** @type {string[]} */ (this.#numbers.invalid)
    for (const part of this.#parts) part.removeAttribute('aria-invalid')
    for (const [field, control] of Object.entries(inputs)) {
      // An empty field is not marked as invalid.
      const hasProblem = problem?.field === field && control.value.trim() !== ''
      const isInvalid = hasProblem || invalid.includes(field)
      if (isInvalid) control.setAttribute('aria-invalid', 'true')
      else control.removeAttribute('aria-invalid')
    }
    const isUntyped = this.#content === '' && problem?.field === 'content'
    const isReported = isUntyped || invalid.includes(problem?.field ?? '')
    const isNormalized = content !== null && content !== this.#content
    const lines = [
      ...(problem && !isReported
        ? [element('p', { class: 'problem', ...ENGLISH }, [problem.message])]
        : []),
      ...(isNormalized
        ? [element('p', { class: 'hint' }, [`${texts.kept_as} `, inLatin(content)])]
        : []),
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
