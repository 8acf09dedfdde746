import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, lintKeymap, linter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import * as views from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { zoneFileMode } from './pages/zone_file_mode.js'

/*
| The editor of a zone as text, in place of the text field, which is what the form sends. Loaded on that page alone.
*/

const { EditorView } = views
/** Longer texts are checked when they are reviewed only. */
const MAX_CHECKED = 300_000
const PAUSE_MS = 600

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.meta, color: 'var(--warning)' },
  { tag: tags.string, color: 'var(--added)' },
  { tag: tags.number, color: 'var(--ink-2)' },
  { tag: tags.labelName, color: 'var(--ink)', fontWeight: '600' },
  { tag: tags.invalid, color: 'var(--danger)' },
])

const look = EditorView.theme({
  '&': { color: 'var(--ink)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.5',
    maxHeight: '70vh',
  },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-content, .cm-gutter': { minHeight: '16rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'var(--sunken)', border: '0', color: 'var(--ink-3)' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'var(--accent-wash)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { background: 'var(--accent-wash)' },
  '.cm-panels': { background: 'var(--sunken)', color: 'var(--ink)' },
  '.cm-tooltip': {
    background: 'var(--sheet)',
    border: '1px solid var(--edge)',
    color: 'var(--ink)',
  },
  '.cm-textfield, .cm-button': {
    background: 'var(--sheet)',
    border: '1px solid var(--edge)',
    color: 'var(--ink)',
  },
  '.cm-searchMatch': { background: 'var(--warning-wash)' },
})

/** @typedef {{ line: number, column: number | null, severity: 'error' | 'warning', message: string }} Problem */
/** @typedef {{ format: string, problems: Problem[], lines: string, note: string }} Checked */

/**
 * Puts the editor in place of the text field in it.
 * @param {HTMLElement} place
 */
export function zoneText(place) {
  const field = place.querySelector('textarea')
  const form = place.closest('form')
  if (!field || !form) return
  const status = place.querySelector('[data-text-status]')
  const url = place.dataset.zoneText ?? ''
  const frame = document.createElement('div')
  frame.className = 'code-frame'
  // Zone files are, whatever the language of the page.
  frame.dir = 'ltr'

  /** @returns {Promise<Checked | null>} */
  const check = async (/** @type {string} */ text) => {
    const body = new FormData()
    const token = form.querySelector('input[name="_csrf"]')
    body.set('_csrf', token instanceof HTMLInputElement ? token.value : '')
    body.set('text', text)
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { accept: 'application/json' },
    })
    return response.ok ? response.json() : null
  }

  /** Tables and the output of dig are pasted as lines of a zone file. */
  const paste = (/** @type {ClipboardEvent} */ event, /** @type {any} */ view) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const isOther = /^; <<>> DiG|^;; \w/m.test(text) || /^[^\s;$(]*[,;][^\n]*[,;]/.test(text.trim())
    if (!isOther || view.state.readOnly || text.length > MAX_CHECKED) return false
    // Whatever goes wrong, what was pasted is not lost.
    const checking = check(text).catch(() => null)
    void checking.then((checked) => {
      const isRead = checked && checked.format !== 'zone' && checked.lines !== ''
      view.dispatch(view.state.replaceSelection(isRead ? checked.lines : text))
      if (status) status.textContent = checked?.note ?? ''
    })
    return true
  }

  /** What the page tells of the text as it came. */
  const serverProblems = /** @type {Problem[]} */ (JSON.parse(place.dataset.problems ?? '[]'))
  const live = linter(
    async (/** @type {any} */ view) => {
      const text = view.state.doc.toString()
      if (text === lined(field.defaultValue)) return diagnostics(view.state.doc, serverProblems)
      if (text.length > MAX_CHECKED) return []
      const checked = await check(text).catch(() => null)
      return checked ? diagnostics(view.state.doc, checked.problems) : []
    },
    { delay: PAUSE_MS }
  )

  const nonce = document.querySelector('script[nonce]')
  const view = new EditorView({
    parent: frame,
    state: EditorState.create({
      doc: field.value,
      extensions: [
        EditorView.cspNonce.of(nonce instanceof HTMLElement ? nonce.nonce : ''),
        views.lineNumbers(),
        views.highlightActiveLine(),
        views.highlightActiveLineGutter(),
        views.drawSelection(),
        highlightSelectionMatches(),
        history(),
        search({ top: true }),
        EditorState.tabSize.of(8),
        EditorState.readOnly.of(field.readOnly),
        EditorView.editable.of(true),
        StreamLanguage.define(zoneFileMode),
        syntaxHighlighting(colours),
        look,
        ...(field.readOnly ? [] : [lintGutter(), live]),
        // Tab leaves the editor, as it leaves every field.
        views.keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({
          // Some readers take nothing for reachable that only can be edited.
          'tabindex': '0',
          'aria-labelledby': 'zone-text-label',
          ...(field.getAttribute('aria-describedby')
            ? { 'aria-describedby': field.getAttribute('aria-describedby') ?? '' }
            : {}),
        }),
        EditorView.domEventHandlers({ paste, beforeinput: typeOver }),
      ],
    }),
  })
  const label = place.querySelector('label')
  if (label) {
    label.id = 'zone-text-label'
    label.addEventListener('click', () => view.focus())
  }
  field.hidden = true
  field.before(frame)
  confirmLeaving(form, () => view.state.doc.toString())
  form.addEventListener('formdata', (event) => {
    event.formData.set('text', view.state.doc.toString())
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 's' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      form.requestSubmit()
    }
  })
  if (serverProblems.length > 0) {
    view.dispatch(setDiagnostics(view.state, diagnostics(view.state.doc, serverProblems)))
    goTo(view, serverProblems[0])
  }
  for (const link of document.querySelectorAll('[data-line-problems] a[data-line]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      goTo(view, { line: Number(link.getAttribute('data-line')), column: null })
    })
  }
}

/**
 * The browser asks before somebody leaves who typed something that was not sent.
 * @param {HTMLFormElement} form
 * @param {() => string} typed
 */
function confirmLeaving(form, typed) {
  const base = form.querySelector('input[name="base"]')
  const start = base instanceof HTMLInputElement ? lined(base.value) : lined(typed())
  let isSent = false
  document.addEventListener('submit', ({ target }) => {
    isSent ||= target instanceof HTMLFormElement && target.elements.namedItem('text') !== null
  })
  // Somebody comes back to the page as they left it.
  window.addEventListener('pageshow', () => (isSent = false))
  window.addEventListener('beforeunload', (event) => {
    if (!isSent && lined(typed()) !== start) event.preventDefault()
  })
}

/** A text whose lines end as the editor has them. */
function lined(/** @type {string} */ text) {
  return text.replaceAll(/\r\n?/g, '\n')
}

/**
 * Typing over what is selected. Left to the browser, it would keep the colours in a style attribute, which the policy of
 * the page refuses and reports.
 * @param {InputEvent} event
 * @param {any} view
 */
function typeOver(event, view) {
  const isOver = event.inputType === 'insertText' && !view.state.selection.main.empty
  if (!isOver || event.isComposing || event.data === null || view.state.readOnly) return false
  view.dispatch(view.state.replaceSelection(event.data), {
    userEvent: 'input.type',
    scrollIntoView: true,
  })
  return true
}

/**
 * @param {any} doc
 * @param {Problem[]} problems
 */
function diagnostics(doc, problems) {
  return problems.map(({ line, column, severity, message }) => {
    const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines))
    const start = column === null ? from : Math.min(from + column - 1, to)
    return { from: start, to: Math.max(to, start), severity, message }
  })
}

/**
 * @param {any} view
 * @param {{ line: number, column: number | null }} problem
 */
function goTo(view, { line }) {
  const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines))
  const effects = EditorView.scrollIntoView(from, { y: 'center' })
  view.dispatch({ selection: { anchor: from }, effects })
  view.focus()
}
