import { InvalidDns } from '#dns/errors'
import { defineRecordType } from '#dns/records/define'
import { hostOf } from '#dns/records/fields'
import type { ContentContext } from '#dns/records/record_type'

const target = hostOf('target', { allowRoot: true })
const host = hostOf('target')

/** Only PowerDNS has this type. */
export const alias = defineRecordType({
  type: 'ALIAS',
  rfc: 'RFC 1034, 3.6.2, as CNAME; PowerDNS only',
  summary: 'PowerDNS answers with the addresses of another name, even at the apex of a zone',
  example: 'www.example.com',
  trap: 'It has no effect until expand-alias and a resolver are set in PowerDNS',
  singleton: true,
  fields: [host],
  pointsTo: ['target'],
  check: notItself,
})

export const dname = defineRecordType({
  type: 'DNAME',
  rfc: 'RFC 6672',
  summary: 'Redirects all names below this name to another name',
  example: 'example.net',
  trap: 'It redirects the names below its name, not the name itself',
  singleton: true,
  fields: [target],
  pointsTo: ['target'],
  check: notItself,
})

function notItself(
  values: Readonly<Record<string, string>>,
  { name }: ContentContext,
  content: string
): void {
  if (values.target !== name) return
  throw new InvalidDns('content', content, `a host name other than ${name} itself`, {
    problem: 'points to its own name',
  })
}
