/** The members of JSON Schema (2020-12) that the document uses. */
export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  description?: string
  examples?: unknown[]
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  anyOf?: JsonSchema[]
}

/** A text, with an example. */
export function text(example: string, description?: string): JsonSchema {
  return { type: 'string', examples: [example], ...describedBy(description) }
}

/** A timestamp, ISO 8601 in UTC. */
export function timestamp(description?: string): JsonSchema {
  return {
    type: 'string',
    format: 'date-time',
    examples: ['2026-03-01T09:00:00.000Z'],
    ...describedBy(description),
  }
}

/** A text with a fixed set of values. */
export function word(words: readonly string[], description?: string): JsonSchema {
  return { type: 'string', enum: words, examples: [words[0]], ...describedBy(description) }
}

/** A whole number. */
export function wholeNumberSchema(example: number, description?: string): JsonSchema {
  return { type: 'integer', examples: [example], ...describedBy(description) }
}

/** A number. */
export function number(example: number, description?: string): JsonSchema {
  return { type: 'number', examples: [example], ...describedBy(description) }
}

/** true or false. */
export function flag(example: boolean, description?: string): JsonSchema {
  return { type: 'boolean', examples: [example], ...describedBy(description) }
}

/** Always null, for clients that expect the member. */
export function nullSchema(description?: string): JsonSchema {
  return { type: 'null', examples: [null], ...describedBy(description) }
}

/** The schema, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && !schema.enum) {
    return { ...schema, type: [schema.type, 'null'] }
  }
  return { anyOf: [schema, { type: 'null' }] }
}

/** A union of schemas. The first one is the example. */
export function oneOfSchemas(...schemas: JsonSchema[]): JsonSchema {
  return { anyOf: schemas }
}

/** A list. */
export function list(items: JsonSchema, description?: string): JsonSchema {
  return { type: 'array', items, ...describedBy(description) }
}

/** An object with exactly these members. Members named in `optional` may be absent. */
export function object(
  members: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {}
): JsonSchema {
  return {
    type: 'object',
    properties: { ...members, ...optional },
    required: Object.keys(members),
    additionalProperties: false,
  }
}

/** An object with arbitrary member names. */
export function mapOf(values: JsonSchema, example: Record<string, unknown>): JsonSchema {
  return { type: 'object', additionalProperties: values, examples: [example] }
}

/** A reference to the component with this name. */
export function named(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

function describedBy(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description }
}
