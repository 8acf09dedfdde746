import type { TextField } from '#dns/search/terms'

/** A field of search queries. */
export interface SearchField {
  name: Exclude<TextField, 'word'> | 'type' | 'ttl' | 'disabled'
  /** Operators between field and value, the default first. */
  operators: readonly string[]
  /** Type of the value: a text, record types separated by commas, seconds, or one of two words. */
  valueKind: 'text' | 'types' | 'seconds' | 'truth'
  /** A condition, for messages. */
  example: string
}

const EQUALS_ONLY = [':'] as const

/** All fields. */
export const SEARCH_FIELDS: readonly SearchField[] = [
  { name: 'name', operators: EQUALS_ONLY, valueKind: 'text', example: 'name:mail*' },
  { name: 'content', operators: EQUALS_ONLY, valueKind: 'text', example: 'content:192.0.2.' },
  { name: 'zone', operators: EQUALS_ONLY, valueKind: 'text', example: 'zone:example.com' },
  { name: 'type', operators: EQUALS_ONLY, valueKind: 'types', example: 'type:MX' },
  {
    name: 'ttl',
    operators: ['<', '>', '<=', '>=', '=', ':'],
    valueKind: 'seconds',
    example: 'ttl<300',
  },
  { name: 'disabled', operators: EQUALS_ONLY, valueKind: 'truth', example: 'disabled:true' },
  { name: 'comment', operators: EQUALS_ONLY, valueKind: 'text', example: 'comment:text' },
]

/** Values of a field of type `truth`. */
export const BOOLEAN_WORDS = ['true', 'false'] as const

/** All fields with an example each, for messages. */
export const SEARCH_EXAMPLES = SEARCH_FIELDS.map(({ example }) => example).join(', ')

/** Returns the field with this lower-case name; undefined if it does not exist. */
export function searchField(name: string): SearchField | undefined {
  return SEARCH_FIELDS.find((field) => field.name === name)
}
