import type { TranslationsFormatterContract } from '@adonisjs/i18n/types'
import { IntlMessageFormat } from 'intl-messageformat'

/** Texts in ICU message format. */
type ParsedMessage = string | IntlMessageFormat

/** Formats messages of the catalogues (ICU MessageFormat). Parses each message once per language: a page has hundreds. */
export class Messages implements TranslationsFormatterContract {
  readonly name = 'icu'
  readonly #cache = new Map<string, Map<string, ParsedMessage>>()

  /**
   * @param message a message of a catalogue; it is cached
   * @param locale a BCP 47 tag, for plurals and numbers
   * @throws SyntaxError for an invalid message, `Error` for a missing value
   */
  format(message: string, locale: string, data: Record<string, unknown> = {}): string {
    const parsed = this.#parse(message, locale)
    return typeof parsed === 'string' ? parsed : String(parsed.format(data))
  }

  #parse(message: string, locale: string): ParsedMessage {
    let messages = this.#cache.get(locale)
    if (!messages) this.#cache.set(locale, (messages = new Map()))
    let parsed = messages.get(message)
    if (parsed === undefined) messages.set(message, (parsed = parse(message, locale)))
    return parsed
  }
}

function parse(message: string, locale: string): ParsedMessage {
  const format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true })
  // A message without placeholders is a constant.
  return format.getAst().every(({ type }) => type === 0) ? String(format.format()) : format
}
