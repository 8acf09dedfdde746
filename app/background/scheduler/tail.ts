const MAX_CHARACTERS = 4_000
const MAX_LINES = 20

/** The last lines of the output of a process, in bounded memory. */
export class OutputTail {
  #text = ''

  /** Appends output. */
  append(text: string): void {
    this.#text = (this.#text + text).slice(-MAX_CHARACTERS)
  }

  /** The last lines, without characters that a database refuses; null without output. */
  get lines(): string | null {
    const text = this.#text
      .toWellFormed()
      // Of a line that overwrites itself, such as a progress line, the last text counts.
      .replace(/[^\n]*\r(?=[^\n])/g, '')
      // eslint-disable-next-line no-control-regex
      .replace(/\u001b\[[\d;?]*[A-Za-z]|[\0-\u0008\u000b-\u001f]/g, '')
      .trim()
    return text === '' ? null : text.split('\n').slice(-MAX_LINES).join('\n')
  }
}
