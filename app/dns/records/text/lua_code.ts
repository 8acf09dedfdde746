/** A token of Lua code. A string or a comment is one token; so is each character that is no word. */
interface Piece {
  kind: 'word' | 'string' | 'comment' | 'sign'
  text: string
}

const WORD = /[A-Za-z_]\w*/y
const LONG_BRACKET = /\[=*\[/y
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
/** Words that give access to the host of the name server instead of an answer. */
const ACCESS = new Set(
  'os io file dofile loadfile load loadstring require package debug _G _ENV'.split(' ')
)
const STATEMENTS = new Set('local if for while repeat do return function goto break'.split(' '))

/**
 * Returns a problem of the code of a LUA record, which follows the content in the message; undefined without one. Does not run
 * the code. Finds mistakes; does not protect against malicious authors.
 */
export function luaProblem(code: string): string | undefined {
  const pieces = luaPieces(code)
  if (!pieces) return 'has a Lua string that is not closed'
  const live = pieces.filter(({ kind }) => kind === 'word' || kind === 'sign')
  if (!isBalanced(live)) return 'has brackets that do not match'
  const words = live.filter(({ kind }) => kind === 'word').map(({ text }) => text)
  const access = words.find((word) => ACCESS.has(word))
  if (access) return `uses "${access}", which is not allowed`
  if (code.trimStart().startsWith(';')) {
    return words.includes('return') ? undefined : 'has statements without a return'
  }
  if (STATEMENTS.has(live[0]?.text)) return 'has statements, but no ";" before them'
  const calls = live.some(({ kind }, at) => kind === 'word' && live[at + 1]?.text === '(')
  return calls ? undefined : 'calls no function'
}

function isBalanced(pieces: Piece[]): boolean {
  const open: string[] = []
  for (const { text } of pieces) {
    if (Object.hasOwn(CLOSING, text)) open.push(CLOSING[text])
    else if (text === ')' || text === ']' || text === '}') {
      if (open.pop() !== text) return false
    }
  }
  return open.length === 0
}

/** Returns undefined if a string or a long comment has no end. */
function luaPieces(code: string): Piece[] | undefined {
  const pieces: Piece[] = []
  let at = 0
  while (at < code.length) {
    const kind = kindAt(code, at)
    const end = endOf(code, at, kind)
    if (end < 0) return undefined
    if (code[at] !== ' ') pieces.push({ kind, text: code.slice(at, end) })
    at = end
  }
  return pieces
}

function kindAt(code: string, at: number): Piece['kind'] {
  if (code.startsWith('--', at)) return 'comment'
  if (code[at] === "'" || matchAt(LONG_BRACKET, code, at)) return 'string'
  return matchAt(WORD, code, at) ? 'word' : 'sign'
}

function endOf(code: string, at: number, kind: Piece['kind']): number {
  if (kind === 'word') return at + matchAt(WORD, code, at)!.length
  if (kind === 'sign') return at + 1
  const start = kind === 'comment' ? at + 2 : at
  const bracket = matchAt(LONG_BRACKET, code, start)
  if (bracket) {
    const closing = bracket.replaceAll('[', ']')
    const end = code.indexOf(closing, start + bracket.length)
    return end < 0 ? -1 : end + closing.length
  }
  return kind === 'comment' ? code.length : endOfString(code, at)
}

function endOfString(code: string, at: number): number {
  for (let next = at + 1; next < code.length; next++) {
    if (code[next] === '\\') next++
    else if (code[next] === code[at]) return next + 1
  }
  return -1
}

function matchAt(pattern: RegExp, code: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(code)?.[0]
}
