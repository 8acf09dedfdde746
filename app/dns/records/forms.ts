import { fieldsOf } from '#dns/rdata/fields'
import type { RecordType } from '#dns/records/record_type'

/**
 * A record type whose content has one of several forms. All else is that of `main`.
 *
 * @param choose the form for the words of a content, right or wrong; undefined for `main`
 */
export function withForms(
  main: RecordType,
  choose: (words: string[]) => RecordType | undefined
): RecordType {
  const formOf = (content: string) => choose(fieldsOf(content)) ?? main
  return {
    ...main,
    parse: (content) => formOf(content).parse(content),
    canonical: (content, context) => formOf(content).canonical(content, context),
    targets: (content) => formOf(content).targets(content),
  }
}
