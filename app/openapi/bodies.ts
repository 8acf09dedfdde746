import type { DescribedBody, DescribedValidator } from '#openapi/operation'
import type { JsonSchema } from '#openapi/schema'

/**
 * The schema of a body, as its validator reads it. Members that mean nothing to it are no mistake, so that they are
 * not forbidden; what may be left out is not required, which the validator's own schema misses for unions.
 */
export function bodySchema({ validator, members = {}, ...more }: DescribedBody): JsonSchema {
  const schema = plain(schemaOf(validator))
  const required = [...(schema.required ?? []), ...(more.required ?? [])]
  const all = {
    ...schema,
    properties: { ...schema.properties, ...more.schemas },
    required: required.length > 0 ? required : undefined,
  }
  return withWords(all, members, '')
}

/** What not every language reads in a pattern (JSON Schema, 6.4). */
const RARE_PATTERN = /\\[pPu]\{/

function schemaOf(validator: DescribedValidator): JsonSchema {
  return validator.toJSONSchema() as JsonSchema
}

function plain(schema: JsonSchema): JsonSchema {
  const { additionalProperties: closed, pattern, ...others } = schema
  const isCommon = pattern !== undefined && !RARE_PATTERN.test(pattern)
  const rest = isCommon ? { ...others, pattern } : others
  if (rest.anyOf) {
    return { ...rest, anyOf: rest.anyOf.filter((one) => !isAnything(one)).map(plain) }
  }
  if (rest.items) {
    return { ...rest, items: plain(rest.items) }
  }
  if (!rest.properties) {
    return rest
  }
  const entries = Object.entries(rest.properties)
  const unnamed = new Set(entries.filter(([, one]) => mayBeAbsent(one)).map(([name]) => name))
  const required = (rest.required ?? []).filter((name) => !unnamed.has(name))
  return {
    ...rest,
    properties: Object.fromEntries(entries.map(([name, one]) => [name, plain(one)])),
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
