import type { HttpContext } from '@adonisjs/core/http'

/**
 * Returns the message of an API refusal for a page: without the position in the JSON body, and with
 * the label of a field instead of its name.
 *
 * @param labels by names of fields
 */
export function plainReason(
  message: string,
  labels: Readonly<Record<string, string>> = {}
): string {
  const [, kind = '', name = '', colon = '', rest = ''] = ERROR_LOCATION.exec(message) ?? []
  if (Object.hasOwn(labels, name)) {
    return `${labels[name]}: ${rest}`
  }
  return kind !== '' && colon !== '' ? rest : message
}

const ERROR_LOCATION = /^(Query parameter |Field )?'(\w+)'(:?) (.*)$/s

/** Labels of the filters of a page, by their names, from a file of the catalogue. */
export function labelsOf(
  { i18n }: HttpContext,
  file: string,
  names: readonly string[]
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, i18n.t(`${file}.${name}`)]))
}
