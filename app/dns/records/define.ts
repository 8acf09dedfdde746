import { InvalidDns } from '#dns/errors'
import { textTokens } from '#dns/rdata/character_strings'
import type { Field } from '#dns/records/fields'
import type { ContentContext, RecordType } from '#dns/records/record_type'

/** Description of a record type that consists of fields. */
export interface FieldTypeSpec extends Omit<
  RecordType,
  | 'priority'
  | 'singleton'
  | 'writer'
  | 'fields'
  | 'parse'
  | 'canonical'
  | 'fromWire'
  | 'present'
  | 'zoneFile'
  | 'targets'
> {
  readonly priority?: boolean
  readonly singleton?: boolean
  readonly writer?: RecordType['writer']
  readonly fields: readonly Field[]
  /** Names of the fields that contain target host names. */
  readonly pointsTo?: readonly string[]
  /** Validates several fields together, or with the owner name. `values` are canonical, by field name. */
  check?(values: Readonly<Record<string, string>>, context: ContentContext, content: string): void
}

/**
 * Defines a record type whose content is a sequence of fields, each in the presentation form of its RFC. A field may consist
 * of several words (hex, base64).
 */
export function defineRecordType(spec: FieldTypeSpec): RecordType {
  const { fields, pointsTo = [], check, ...about } = spec
  const names = fields.map((field) => field.name)
  const form = names.join(' ')

  const parse = (content: string): string[] => {
    const tokens = textTokens(content)
    const values: string[] = []
    let position = 0
    for (const field of fields) {
      if (position >= tokens.length && !field.isOptional) {
        throw new InvalidDns('content', content, `${form} (${spec.rfc})`, {
          problem: `has no ${field.name}`,
        })
      }
      const { text, taken } = field.read({ tokens: tokens.slice(position), content })
      values.push(text)
      position += taken
    }
    if (position < tokens.length) {
      throw new InvalidDns('content', content, `${form} (${spec.rfc})`, {
        problem: `has more than ${fields.length} fields`,
      })
    }
    return values
  }

  return {
    priority: false,
    singleton: false,
    writer: 'editor',
    ...about,
    fields: names,
    parse,
    canonical(content, context) {
      const values = parse(content)
      check?.(Object.fromEntries(names.map((name, i) => [name, values[i]])), context, content)
      return values.filter((text) => text !== '').join(' ')
    },
    fromWire(data) {
      const values = fields.map((field) => field.fromWire(data.reading(field.name)))
      return values.filter((text) => text !== '').join(' ')
    },
    present: (content) => content,
    targets(content) {
      const values = parse(content)
      return pointsTo
        .map((name) => values[names.indexOf(name)])
        .filter((target) => target !== undefined && target !== '.')
    },
  }
}
