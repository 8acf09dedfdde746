import { defineRecordType } from '#dns/records/define'
import { refusal, wordField, type Field } from '#dns/records/fields'

export const eui48 = defineRecordType({
  type: 'EUI48',
  rfc: 'RFC 7043, 3',
  summary: 'The 48-bit hardware (MAC) address of a device',
  example: '00-00-5e-00-53-2a',
  trap: 'Colons between the octets; use hyphens',
  fields: [octetsOf('address', 6)],
})

export const eui64 = defineRecordType({
  type: 'EUI64',
  rfc: 'RFC 7043, 4',
  summary: 'The 64-bit hardware address of a device',
  example: '00-00-5e-ef-10-00-00-2a',
  trap: 'Colons between the octets; use hyphens',
  fields: [octetsOf('address', 8)],
})

function octetsOf(name: string, count: number): Field {
  const read = (word: string, content: string) => {
    const octets = word.split('-')
    if (octets.length === count && octets.every((octet) => /^[0-9a-f]{2}$/i.test(octet))) {
      return word.toLowerCase()
    }
    throw refusal(content, name, `${count} octets of two hexadecimal digits, separated by hyphens`)
  }
  return wordField(name, read, (data) =>
    Array.from(data.bytes(count), (octet) => octet.toString(16).padStart(2, '0')).join('-')
  )
}
