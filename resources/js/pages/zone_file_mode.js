/*
| Grammar of zone files (RFC 1035, section 5.1) for syntax highlighting. A line starts with an owner name unless it is
| indented. TTL and class follow. The next word is the type.
*/

const CLASSES = new Set(['IN', 'CH', 'HS', 'CS'])

/** A tokenizer for CodeMirror's stream languages. */
export const zoneFileMode = {
  name: 'zone-file',
  languageData: { commentTokens: { line: ';' } },

  startState: () => ({ depth: 0, at: 'owner' }),

  /**
   * @param {any} stream
   * @param {{ depth: number, at: string }} state
   */
  token(stream, state) {
    if (stream.sol() && state.depth === 0) {
      state.at = /\s/.test(stream.peek() ?? '') ? 'fields' : 'owner'
    }
    if (stream.eatSpace()) return null
    const next = stream.next()
    if (next === ';') {
      stream.skipToEnd()
      return 'comment'
    }
    if (next === '(' || next === ')') {
      state.depth = Math.max(0, state.depth + (next === '(' ? 1 : -1))
      return 'keyword'
    }
    if (next === '"') {
      return string(stream)
    }
    stream.eatWhile(/[^\s;()"]/)
    return word(stream.current(), state)
  },
}

/** @param {any} stream */
function string(stream) {
  let next = stream.next()
  while (next !== undefined && next !== '"') {
    if (next === '\\') stream.next()
    next = stream.next()
  }
  return next === '"' ? 'string' : 'invalid'
}

/**
 * @param {string} text
 * @param {{ at: string }} state
 */
function word(text, state) {
  if (state.at === 'owner') {
    state.at = text.startsWith('$') ? 'content' : 'fields'
    return text.startsWith('$') ? 'meta' : 'labelName'
  }
  if (state.at === 'fields') {
    if (/^\d+[smhdw]?(\d+[smhdw])*$/i.test(text)) return 'number'
    if (CLASSES.has(text.toUpperCase())) return 'meta'
    state.at = 'content'
    return 'keyword'
  }
  return /^\d+$/.test(text) ? 'number' : null
}
