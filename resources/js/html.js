/** The one way from text to elements: only for what this server made for this very page. */
const { trustedTypes } = /** @type {any} */ (window)
const policy = trustedTypes?.createPolicy('zonewright', {
  createHTML: (/** @type {string} */ text) => text,
})

/**
 * Whether an answer with this policy is a page of this server: what stands before it answers with pages of its own, whose markup
 * is not taken.
 * @param {string | null} policy `Content-Security-Policy` of the answer
 */
export function isOwnPage(policy) {
  return /(^|;)\s*trusted-types [^;]*\bzonewright\b/.test(policy ?? '')
}

/** A page that the server made. Scripts in it do not run. */
export function pageIn(/** @type {string} */ text) {
  return new DOMParser().parseFromString(policy?.createHTML(text) ?? text, 'text/html')
}

/** Elements of a fragment that the server made. Scripts in it do not run. */
export function fragment(/** @type {string} */ text) {
  return [...pageIn(text).body.childNodes]
}

/**
 * A new element.
 * @param {string} tag
 * @param {Record<string, string | boolean>} attributes
 * @param {(Node | string)[]} children
 */
export function element(tag, attributes = {}, children = []) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '')
    else if (value !== false) made.setAttribute(name, value)
  }
  made.append(...children)
  return made
}
