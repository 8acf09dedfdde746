import type { FieldContext, MessagesProviderContact } from '@vinejs/vine/types'

const MAX_QUOTED_CHARACTERS = 100
/** Fields whose values are not repeated in answers, which are stored for repeats of requests. */
const SECRETS = new Set<unknown>(['password', 'privatekey'])

type Meta = Record<string, unknown> | undefined

/** Allowed values by rule of the validators. */
const ALLOWED_TEXTS: Record<string, (meta: Meta) => string> = {
  'string': () => 'must be a JSON string',
  'number': () => 'must be a whole number',
  'withoutDecimals': () => 'must be a whole number',
  'range': (meta) => `must be a whole number from ${String(meta?.min)} to ${String(meta?.max)}`,
  'boolean': () => 'must be true or false (or 1 or 0)',
  'array': () => 'must be a list',
  'object': () => 'must be an object',
  'textOrNumber': () => 'must be a whole number or a string',
  'unionOfTypes': () => 'must be a string or a list of strings',
  'minLength': () => 'must not be empty',
  'regex': () => 'must be plain text',
  'maxLength': (meta) => `must have at most ${String(meta?.max)} characters`,
  'array.minLength': (meta) => `must have at least ${String(meta?.min)} entry`,
  'enum': (meta) => `must be one of ${choicesText(meta?.choices)}`,
  'array.maxLength': (meta) => `must have at most ${String(meta?.max)} entries`,
}

/** Messages of failed validations: the field, the value found, and what is allowed. */
export class FieldMessages implements MessagesProviderContact {
  #messageCount = 0

  /** @param max number of messages; further ones are empty */
  constructor(private readonly max = Infinity) {}

  getMessage(raw: string, rule: string, field: FieldContext, meta?: Meta): string {
    if (++this.#messageCount > this.max) return ''
    const name = field.getFieldPath() || 'body'
    if (name === 'operations' && (rule === 'required' || rule === 'array')) {
      return "Field 'operations' is required and must be an array"
    }
    if (['required', 'textOrNumber'].includes(rule) && /^zones\.\d+$/.test(name)) {
      return `Field '${name}' must be the id or the name of a zone, found ${quoteValue(field.value)}`
    }
    if (rule === 'required') {
      return `Field '${name}' is required`
    }
    const allowed = ALLOWED_TEXTS[rule]?.(meta) ?? raw
    if (SECRETS.has(field.name)) {
      return `Field '${name}' ${allowed}`
    }
    return `Field '${name}' ${allowed}, found ${quoteValue(field.value)}`
  }
}

function choicesText(choices: unknown): string {
  return Array.isArray(choices) ? choices.join(', ') : String(choices)
}

function quoteValue(value: unknown): string {
  const text = JSON.stringify(beginning(value)) ?? 'nothing'
  return text.length > MAX_QUOTED_CHARACTERS ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}...` : text
}

/** Enough of a value for its first characters: long lists and texts are not written as a whole. */
function beginning(value: unknown): unknown {
  return Array.isArray(value) || typeof value === 'string'
    ? value.slice(0, 2 * MAX_QUOTED_CHARACTERS)
    : value
}
