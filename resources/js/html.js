/** Trusted Types policy. It may only process HTML that this server rendered for this page. */
const { trustedTypes } = /** @type {any} */ (window)
const policy = trustedTypes?.createPolicy('zonewright', {
  createHTML: (/** @type {string} */ text) => text,
})

/**
 * Whether a response is a page of this server. A proxy may answer with pages of its own, whose markup is not inserted.
 * @param {string | null} policy `Content-Security-Policy` of the response
 */
export function isOwnPage(policy) {
  return /(^|;)\s*trusted-types [^;]*\bzonewright\b/.test(policy ?? '')
}

/** Parses a page of this server. Its scripts do not run. */
export function pageIn(/** @type {string} */ text) {
  return new DOMParser().parseFromString(policy?.createHTML(text) ?? text, 'text/html')
}

/** Parses a fragment of this server. Its scripts do not run. */
export function fragment(/** @type {string} */ text) {
  return [...pageIn(text).body.childNodes]
}

/**
 * Creates an element. An attribute with the value false is omitted.
 * @param {string} tag
 * @param {Record<string, string | boolean>} attributes
 * @param {(Node | string)[]} children
 */
export function element(tag, attributes = {}, children = []) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, '')
    else if (value !== false) node.setAttribute(name, value)
  }
  node.append(...children)
  return node
}
