import { afterPriority } from '#dns/rdata/preference'
import { defineRecordType } from '#dns/records/define'
import { address4Of, hostOf, refusal, wordField, type Field } from '#dns/records/fields'

export const nid = defineRecordType({
  type: 'NID',
  rfc: 'RFC 6742, 2.1',
  summary: 'An ILNP node identifier of 64 bits; the lowest priority is preferred',
  example: '0014:4fff:ff20:ee64',
  trap: 'An IPv6 address; a node identifier has four groups and no "::"',
  priority: true,
  fields: [afterPriority(groupsOf('identifier'))],
})

export const l32 = defineRecordType({
  type: 'L32',
  rfc: 'RFC 6742, 2.2',
  summary: 'An ILNP locator of 32 bits, a subnetwork; the lowest priority is preferred',
  example: '10.1.2.0',
  trap: 'The address of a host; the record names a subnetwork',
  priority: true,
  fields: [afterPriority(address4Of('locator'))],
})

export const l64 = defineRecordType({
  type: 'L64',
  rfc: 'RFC 6742, 2.3',
  summary: 'An ILNP locator of 64 bits, a subnetwork; the lowest priority is preferred',
  example: '2001:0db8:1140:1000',
  trap: 'An IPv6 prefix with "::" or a length; a locator has four groups',
  priority: true,
  fields: [afterPriority(groupsOf('locator'))],
})

export const lp = defineRecordType({
  type: 'LP',
  rfc: 'RFC 6742, 2.4',
  summary: 'A name that has the L32 and L64 records of this node; the lowest priority is preferred',
  example: 'l64-subnet1.example.org',
  trap: 'Use as an alias; the named node needs its own L32 or L64 records',
  priority: true,
  fields: [afterPriority(hostOf('locator', { allowRoot: true }))],
  pointsTo: ['locator'],
})

/** Field of four groups of hexadecimal digits: half of an IPv6 address. */
function groupsOf(name: string): Field {
  const read = (word: string, content: string) => {
    const groups = word.split(':')
    if (groups.length === 4 && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) {
      return groups.map((group) => group.toLowerCase().padStart(4, '0')).join(':')
    }
    throw refusal(content, name, 'four groups of 1-4 hexadecimal digits, separated by colons')
  }
  return wordField(name, read, (data) =>
    Array.from({ length: 4 }, () => data.number(2).toString(16)).join(':')
  )
}
