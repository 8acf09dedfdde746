import { fieldsOf } from '#dns/rdata/fields'
import type { RecordType } from '#dns/records/record_type'

/**
 * Returns a record type whose content has one of several forms. Other members are those of `main`.
 *
 * @param choose returns the form for the words of a content, valid or not; undefined for `main`
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
