import { InvalidDns } from '#dns/errors'

/** Splits a content at spaces and tabs. */
export function fieldsOf(content: string): string[] {
  return content.split(/[ \t]/).filter((field) => field !== '')
}

/**
 * Parses a decimal field of a content.
 *
 * @param what name of the field, for the message
 * @param max  maximum; the minimum is 0
 * @throws InvalidDns on 'content'
 */
export function numberField(text: string, what: string, max: number, content = text): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= max) return Number(text)
  throw new InvalidDns('content', content, `${what} from 0 to ${max}`, {
    problem: `has the ${what} ${JSON.stringify(text.slice(0, 50))}`,
  })
}
