import { invalid } from '#exceptions/refusal'

/** A list of unknown members names at most so many. */
const MAX_NAMED = 5

/**
 * Refuses members that a body may not have, for bodies that restrict something: a misspelt restriction would otherwise
 * be no restriction. Members of the object as the API shows it are known, too, so that it can be sent back.
 *
 * @param known members of the body
 * @param lists members of the objects in a list, by the name of the list
 * @returns what `validBody` calls before it looks at shapes. Throws a 400 `Refusal` that names the unknown members
 */
export function onlyMembers(
  known: readonly string[],
  lists: Record<string, readonly string[]> = {}
): (members: Readonly<Record<string, unknown>>) => void {
  return (members) => {
    refuse('', Object.keys(members), known)
    for (const [list, allowed] of Object.entries(lists)) {
      const items = members[list]
      for (const [index, item] of (Array.isArray(items) ? items : []).entries()) {
        if (typeof item === 'object' && item !== null) {
          refuse(`${list}.${index}.`, Object.keys(item), allowed)
        }
      }
    }
  }
}

function refuse(prefix: string, members: string[], known: readonly string[]): void {
  const unknown = members.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const named = unknown.slice(0, MAX_NAMED).map((name) => `'${prefix}${name.slice(0, 100)}'`)
  const word = unknown.length === 1 ? 'Field' : 'Fields'
  const verb = unknown.length === 1 ? 'is' : 'are'
  throw invalid(
    `${word} ${named.join(', ')} ${verb} unknown; allowed are ${known.map((name) => prefix + name).join(', ')}`
  )
}
