import type { VineValidator } from '@vinejs/vine'
import type { SchemaTypes } from '@vinejs/vine/types'
import { invalid } from '#exceptions/refusal'

/** Maximum of unknown members in a message. */
const MAX_NAMED_MEMBERS = 5

/**
 * Refuses unknown members of bodies with restrictions: a misspelt restriction would be ignored.
 * Members of the object in answers are allowed, too, so that it can be sent back.
 *
 * @param knownNames members of the body
 * @param lists members of the objects in a list, by the name of the list
 * @returns a check for `validBody`. Throws a 400 `Refusal` that names the unknown members
 */
export function onlyMembers(
  knownNames: readonly string[],
  lists: Record<string, readonly string[]> = {}
): (members: Readonly<Record<string, unknown>>) => void {
  return (members) => {
    refuse('', Object.keys(members), knownNames)
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

type MembersCheck = (members: Readonly<Record<string, unknown>>) => void
type Validator = VineValidator<SchemaTypes, undefined>

const CHECK_BY_SCHEMA = new WeakMap<object, MembersCheck>()

/**
 * Returns the validator of a body about rights or receivers of data. Such a body refuses unknown
 * members: a misspelt one, such as `is_active`, would leave more rights than intended.
 *
 * @param readOnlyMembers further members of the object in answers, so that an answer can be sent back
 */
export function closed<V extends { toJSON: Validator['toJSON'] }>(
  validator: V,
  readOnlyMembers: readonly string[] = []
): V {
  const { schema } = validator.toJSON().schema
  const properties = 'properties' in schema ? schema.properties : []
  const lists = properties.flatMap((property) =>
    'each' in property && 'properties' in property.each
      ? [[property.fieldName, property.each.properties.map(({ fieldName }) => fieldName)] as const]
      : []
  )
  const knownNames = [
    ...new Set([...properties.map(({ fieldName }) => fieldName), ...readOnlyMembers]),
  ]
  CHECK_BY_SCHEMA.set(validator, onlyMembers(knownNames, Object.fromEntries(lists)))
  return validator
}

/** Throws a 400 `Refusal` if the validator is closed and the body has unknown members. */
export function refuseUnknownMembers(
  validator: object,
  members: Readonly<Record<string, unknown>>
): void {
  CHECK_BY_SCHEMA.get(validator)?.(members)
}

function refuse(prefix: string, members: string[], knownNames: readonly string[]): void {
  const unknown = members.filter((name) => !knownNames.includes(name))
  if (unknown.length === 0) return
  const named = unknown
    .slice(0, MAX_NAMED_MEMBERS)
    .map((name) => `'${prefix}${name.slice(0, 100)}'`)
  const word = unknown.length === 1 ? 'Field' : 'Fields'
  const verb = unknown.length === 1 ? 'is' : 'are'
  throw invalid(
    `${word} ${named.join(', ')} ${verb} unknown; allowed: ${knownNames.map((name) => prefix + name).join(', ')}`
  )
}
