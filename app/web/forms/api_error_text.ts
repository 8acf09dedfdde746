import type { HttpContext } from '@adonisjs/core/http'

/**
 * A refusal of the API in words for a page: without the place that the API names, which is nowhere on the page. A field that has a
 * label is named by it.
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
