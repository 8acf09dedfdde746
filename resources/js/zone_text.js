import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, lintKeymap, linter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import * as views from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { zoneFileMode } from './pages/zone_file_mode.js'

/*
| Zone text editor. It replaces the text field of the form. Only this page loads this module.
*/

const { EditorView } = views
/** Maximum number of characters for the check while typing. Longer texts are checked at the review only. */
const MAX_CHECKED_LENGTH = 300_000
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

const theme = EditorView.theme({
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
 * Replaces the text field in `container` by the editor.
 * @param {HTMLElement} container
 */
export function zoneText(container) {
  const field = container.querySelector('textarea')
  const form = container.closest('form')
  if (!field || !form) return
  const status = container.querySelector('[data-text-status]')
  const url = container.dataset.zoneText ?? ''
  const frame = document.createElement('div')
  frame.className = 'code-frame'
  // Zone files read from left to right in every language.
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

  /** Converts pasted tables and dig output to lines of a zone file. */
  const paste = (/** @type {ClipboardEvent} */ event, /** @type {any} */ view) => {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    const isOtherFormat =
      /^; <<>> DiG|^;; \w/m.test(text) || /^[^\s;$(]*[,;][^\n]*[,;]/.test(text.trim())
    if (!isOtherFormat || view.state.readOnly || text.length > MAX_CHECKED_LENGTH) return false
    // If the conversion fails, the text is pasted unchanged.
    const checking = check(text).catch(() => null)
    void checking.then((checked) => {
      const isConverted = checked && checked.format !== 'zone' && checked.lines !== ''
      view.dispatch(view.state.replaceSelection(isConverted ? checked.lines : text))
      if (status) status.textContent = checked?.note ?? ''
    })
    return true
  }

  /** Problems that the server found in the submitted text. */
  const serverProblems = /** @type {Problem[]} */ (JSON.parse(container.dataset.problems ?? '[]'))
  const problemLinter = linter(
    async (/** @type {any} */ view) => {
      const text = view.state.doc.toString()
      if (text === normaliseLineEnds(field.defaultValue))
        return diagnostics(view.state.doc, serverProblems)
      if (text.length > MAX_CHECKED_LENGTH) return []
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
        theme,
        ...(field.readOnly ? [] : [lintGutter(), problemLinter]),
        // Tab is not bound: it moves the focus out of the editor.
        views.keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({
          // Some screen readers skip editable elements without a tabindex.
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
  const label = container.querySelector('label')
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
 * Warns before the user leaves the page with unsaved text.
 * @param {HTMLFormElement} form
 * @param {() => string} currentText
 */
function confirmLeaving(form, currentText) {
  const base = form.querySelector('input[name="base"]')
  const savedText =
    base instanceof HTMLInputElement
      ? normaliseLineEnds(base.value)
      : normaliseLineEnds(currentText())
  let isSent = false
  document.addEventListener('submit', ({ target }) => {
    isSent ||= target instanceof HTMLFormElement && target.elements.namedItem('text') !== null
  })
  // The user returns to a page from the back-forward cache.
  window.addEventListener('pageshow', () => (isSent = false))
  window.addEventListener('beforeunload', (event) => {
    if (!isSent && normaliseLineEnds(currentText()) !== savedText) event.preventDefault()
  })
}

/**
 * Normalises line ends to `\
 * `, as CodeMirror does.
 */
function normaliseLineEnds(/** @type {string} */ text) {
  return text.replaceAll(/\r\n?/g, '\n')
}

/**
 * Replaces the selected text by the typed text. The browser would copy the colours to a style attribute, which the
 * Content-Security-Policy blocks and reports.
 * @param {InputEvent} event
 * @param {any} view
 */
function typeOver(event, view) {
  const replacesSelection = event.inputType === 'insertText' && !view.state.selection.main.empty
  if (!replacesSelection || event.isComposing || event.data === null || view.state.readOnly)
    return false
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
