import { InvalidDns } from '#dns/errors'
import { byteText } from '#dns/rdata/character_strings'
import type { Field } from '#dns/records/fields'

/**
 * Wraps the first field of a content whose priority is a separate field. Refuses a number in front of it, with a message that
 * names the field 'priority'.
 */
export function afterPriority(field: Field): Field {
  return {
    name: field.name,
    fromWire: field.fromWire,
    read(input) {
      const [first, second] = input.tokens
      if (second && !first.quoted && /^\d+$/.test(byteText(first.bytes))) {
        const allowed = `a ${field.name}, with the priority in field 'priority'`
        throw new InvalidDns('content', input.content, allowed, {
          problem: 'contains a priority',
        })
      }
      return field.read(input)
    },
  }
}
