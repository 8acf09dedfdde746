/*
| A row of the editor: as it is, as it is being typed, and as it will be.
*/
import { element } from './html.js'

/** @typedef {import('./draft.js').RecordData} RecordData */
/** @typedef {Record<string, string>} Texts */

/** Cells in the order of the columns: the field, and whether it is a number. */
const CELLS = /** @type {const} */ ([
  ['name', 'value'],
  ['type', 'value tight'],
  ['ttl', 'tight number'],
  ['priority', 'tight number'],
  ['content', 'value'],
])

/** Fills a row with what a record is or will be. */
export function showRow(
  /** @type {HTMLTableRowElement} */ row,
  /** @type {RecordData} */ data,
  /** @type {Texts} */ texts
) {
  const cells = CELLS.map(([field, kind]) => {
    const value = data[field]
    const text = value === null ? '' : field === 'ttl' ? ttlText(Number(value)) : String(value)
    const cell = element('td', { 'class': kind, 'data-label': texts[field] }, [text])
    if (field === 'content' && data.disabled) {
      cell.append(' ', element('span', { class: 'badge odd' }, [texts.disabled]))
    }
    return cell
  })
  replaceCells(row, cells)
}

/** Makes a row one that can be typed in. Gives what reads it. */
export function typeInRow(
  /** @type {HTMLTableRowElement} */ row,
  /** @type {RecordData} */ data,
  /** @type {{ texts: Texts, types: HTMLTemplateElement | null, isNew: boolean }} */ {
    texts,
    types,
    isNew,
  }
) {
  /** @type {Record<string, HTMLInputElement | HTMLSelectElement>} */
  const inputs = {}
  const cells = CELLS.map(([field, kind]) => {
    const value = data[field] === null ? '' : String(data[field])
    const isChoice = field === 'type' && isNew && types
    const attributes = { 'class': 'input', 'aria-label': texts[field], 'spellcheck': 'false' }
    const input = /** @type {HTMLInputElement | HTMLSelectElement} */ (
      isChoice
        ? element('select', attributes, [types.content.cloneNode(true)])
        : element('input', { ...attributes, autocapitalize: 'none', autocomplete: 'off' })
    )
    input.value = value
    if (field === 'type' && !isNew) input.setAttribute('readonly', '')
    inputs[field] = input
    const cell = element('td', { 'class': kind, 'data-label': texts[field] }, [input])
    if (field === 'content') {
      const tick = element('input', { type: 'checkbox', class: 'tick', name: 'off' })
      inputs.disabled = /** @type {HTMLInputElement} */ (tick)
      inputs.disabled.checked = data.disabled
      cell.append(element('label', { class: 'check' }, [tick, texts.disabled]))
    }
    return cell
  })
  replaceCells(row, cells)
  const number = (/** @type {string} */ text) => (text.trim() === '' ? null : Number(text))
  return {
    first: inputs.name,
    /** @returns {RecordData} */
    read: () => ({
      ...data,
      name: inputs.name.value.trim() || '@',
      type: inputs.type.value,
      content: inputs.content.value.trim(),
      ttl: seconds(inputs.ttl.value) ?? data.ttl,
      priority: number(inputs.priority.value),
      disabled: /** @type {HTMLInputElement} */ (inputs.disabled).checked,
    }),
  }
}

/** The last cell, of what can be done, stays. */
function replaceCells(/** @type {HTMLTableRowElement} */ row, /** @type {HTMLElement[]} */ cells) {
  const last = row.querySelector('.row-actions')
  row.replaceChildren(...cells, ...(last ? [last] : []))
}

const UNITS = new Map([
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
])

/** A TTL as people write it, as the server shows it. */
function ttlText(/** @type {number} */ value) {
  let rest = value
  let text = ''
  for (const [letter, size] of UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) text += `${count}${letter}`
    rest -= count * size
  }
  return text || String(value)
}

/** Seconds of a TTL as people write it; what is none is left for the server to refuse. */
function seconds(/** @type {string} */ text) {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '') return null
  if (/^\d+$/.test(trimmed)) return Number(trimmed)
  const parts = trimmed.match(/\d+[wdhms]/g) ?? []
  if (parts.join('') !== trimmed) return -1
  return parts.reduce(
    (sum, part) => sum + Number(part.slice(0, -1)) * (UNITS.get(part.slice(-1)) ?? 0),
    0
  )
}
