import type { TextField } from '#dns/search/terms'

/** A field of searches. */
export interface SearchField {
  name: Exclude<TextField, 'word'> | 'type' | 'ttl' | 'disabled'
  /** What may stand between field and value, the usual first. */
  operators: readonly string[]
  /** What it takes: a text, names of record types with commas between them, seconds, or one of two words. */
  takes: 'text' | 'types' | 'seconds' | 'truth'
  /** A condition, for messages. */
  example: string
}

const PLAIN = [':'] as const

/** Every field there is. */
export const SEARCH_FIELDS: readonly SearchField[] = [
  { name: 'name', operators: PLAIN, takes: 'text', example: 'name:mail*' },
  { name: 'content', operators: PLAIN, takes: 'text', example: 'content:192.0.2.' },
  { name: 'zone', operators: PLAIN, takes: 'text', example: 'zone:example.com' },
  { name: 'type', operators: PLAIN, takes: 'types', example: 'type:MX' },
  {
    name: 'ttl',
    operators: ['<', '>', '<=', '>=', '=', ':'],
    takes: 'seconds',
    example: 'ttl<300',
  },
  { name: 'disabled', operators: PLAIN, takes: 'truth', example: 'disabled:true' },
  { name: 'comment', operators: PLAIN, takes: 'text', example: 'comment:text' },
]

/** What a field of two words takes. */
export const TRUTHS = ['true', 'false'] as const

/** For messages: every field, with an example. */
export const SEARCH_EXAMPLES = SEARCH_FIELDS.map(({ example }) => example).join(', ')

/** The field of a name, in lower case; undefined where there is none. */
export function searchField(name: string): SearchField | undefined {
  return SEARCH_FIELDS.find((field) => field.name === name)
}
