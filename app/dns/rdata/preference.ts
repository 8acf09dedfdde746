import { InvalidDns } from '#dns/errors'
import { byteText } from '#dns/rdata/character_strings'
import type { Field } from '#dns/records/fields'

/**
 * The first field of a content whose priority is kept apart from it. A number in front of the field is
 * refused with a message that says where it goes.
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
          problem: 'has a priority inside',
        })
      }
      return field.read(input)
    },
  }
}
