import type { JsonSchema } from '#openapi/schema'

/** Components by name, to resolve references. */
export type Components = Readonly<Record<string, JsonSchema>>

/**
 * Returns a valid value for the schema, built from its examples. The value has all optional
 * members, unless `isBrief`.
 */
export function exampleOf(schema: JsonSchema, components: Components, isBrief = false): unknown {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return exampleOf(components[name] ?? {}, components, isBrief)
  }
  if (schema.examples !== undefined) {
    return schema.examples[0]
  }
  if (schema.anyOf?.[0]) {
    return exampleOf(schema.anyOf[0], components, isBrief)
  }
  if (schema.enum !== undefined) {
    return schema.enum[0]
  }
  if (schema.properties) {
    const shownProperties = Object.entries(schema.properties).filter(
      ([name]) => !isBrief || schema.required?.includes(name)
    )
    return Object.fromEntries(
      shownProperties.map(([name, member]) => [name, exampleOf(member, components, isBrief)])
    )
  }
  if (schema.items) {
    return [exampleOf(schema.items, components, isBrief)]
  }
  return [schema.type].flat()[0] === 'array' ? [] : null
}
