import type { DescribedBody, DescribedValidator } from '#openapi/operation'
import type { JsonSchema } from '#openapi/schema'

/**
 * Returns the schema of a body, as its validator reads it. Unknown members are allowed, because the
 * validator ignores them. Optional unions are not required; the schema of the validator lacks this.
 */
export function bodySchema({ validator, members = {}, ...more }: DescribedBody): JsonSchema {
  const schema = withoutCommonMembers(schemaOf(validator))
  const required = [...(schema.required ?? []), ...(more.required ?? [])]
  const all = {
    ...schema,
    properties: { ...schema.properties, ...more.schemas },
    required: required.length > 0 ? required : undefined,
  }
  return withWords(all, members, '')
}

/** Pattern syntax that not every regular expression engine supports (JSON Schema, 6.4). */
const RARE_PATTERN = /\\[pPu]\{/

function schemaOf(validator: DescribedValidator): JsonSchema {
  return validator.toJSONSchema() as JsonSchema
}

function withoutCommonMembers(schema: JsonSchema): JsonSchema {
  const { additionalProperties: closed, pattern, ...members } = schema
  const isCommon = pattern !== undefined && !RARE_PATTERN.test(pattern)
  const otherMembers = isCommon ? { ...members, pattern } : members
  if (otherMembers.anyOf) {
    return {
      ...otherMembers,
      anyOf: otherMembers.anyOf.filter((one) => !isAnything(one)).map(withoutCommonMembers),
    }
  }
  if (otherMembers.items) {
    return { ...otherMembers, items: withoutCommonMembers(otherMembers.items) }
  }
  if (!otherMembers.properties) {
    return otherMembers
  }
  const entries = Object.entries(otherMembers.properties)
  const unnamed = new Set(entries.filter(([, one]) => mayBeAbsent(one)).map(([name]) => name))
  const required = (otherMembers.required ?? []).filter((name) => !unnamed.has(name))
  return {
    ...otherMembers,
    properties: Object.fromEntries(entries.map(([name, one]) => [name, withoutCommonMembers(one)])),
    ...(required.length > 0 ? { required } : { required: undefined }),
  }
}

/** An optional union has a branch that accepts any value. */
function mayBeAbsent({ anyOf }: JsonSchema): boolean {
  return anyOf?.some(isAnything) ?? false
}

function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).length === 0
}

function withWords(schema: JsonSchema, members: Record<string, string>, path: string): JsonSchema {
  const description = members[path]
  const properties = schema.properties
    ? Object.fromEntries(
        Object.entries(schema.properties).map(([name, one]) => [
          name,
          withWords(one, members, path === '' ? name : `${path}.${name}`),
        ])
      )
    : undefined
  return {
    ...schema,
    ...(properties ? { properties } : {}),
    ...(schema.items ? { items: withWords(schema.items, members, path) } : {}),
    ...(description && path !== '' ? { description } : {}),
  }
}
