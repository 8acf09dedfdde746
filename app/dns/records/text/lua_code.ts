/** A token of Lua code. A string or a comment is one token; so is each character that is no word. */
interface CodePiece {
  kind: 'word' | 'string' | 'comment' | 'sign'
  text: string
}

const WORD = /[A-Za-z_]\w*/y
const LONG_BRACKET = /\[=*\[/y
const CLOSING_BRACKETS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }
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
  const calls = live.some(
    ({ kind }, position) => kind === 'word' && live[position + 1]?.text === '('
  )
  return calls ? undefined : 'calls no function'
}

function isBalanced(pieces: CodePiece[]): boolean {
  const openBrackets: string[] = []
  for (const { text } of pieces) {
    if (Object.hasOwn(CLOSING_BRACKETS, text)) openBrackets.push(CLOSING_BRACKETS[text])
    else if (text === ')' || text === ']' || text === '}') {
      if (openBrackets.pop() !== text) return false
    }
  }
  return openBrackets.length === 0
}

/** Returns undefined if a string or a long comment has no end. */
function luaPieces(code: string): CodePiece[] | undefined {
  const pieces: CodePiece[] = []
  let position = 0
  while (position < code.length) {
    const kind = kindAt(code, position)
    const end = endOf(code, position, kind)
    if (end < 0) return undefined
    if (code[position] !== ' ') pieces.push({ kind, text: code.slice(position, end) })
    position = end
  }
  return pieces
}

function kindAt(code: string, position: number): CodePiece['kind'] {
  if (code.startsWith('--', position)) return 'comment'
  if (code[position] === "'" || matchAt(LONG_BRACKET, code, position)) return 'string'
  return matchAt(WORD, code, position) ? 'word' : 'sign'
}

function endOf(code: string, position: number, kind: CodePiece['kind']): number {
  if (kind === 'word') return position + matchAt(WORD, code, position)!.length
  if (kind === 'sign') return position + 1
  const start = kind === 'comment' ? position + 2 : position
  const bracket = matchAt(LONG_BRACKET, code, start)
  if (bracket) {
    const closing = bracket.replaceAll('[', ']')
    const end = code.indexOf(closing, start + bracket.length)
    return end < 0 ? -1 : end + closing.length
  }
  return kind === 'comment' ? code.length : endOfString(code, position)
}

function endOfString(code: string, position: number): number {
  for (let next = position + 1; next < code.length; next++) {
    if (code[next] === '\\') next++
    else if (code[next] === code[position]) return next + 1
  }
  return -1
}

function matchAt(pattern: RegExp, code: string, position: number): string | undefined {
  pattern.lastIndex = position
  return pattern.exec(code)?.[0]
}
