import { InvalidDns } from '#dns/errors'
import { numberField } from '#dns/rdata/fields'
import { bareWord, byteText, printStrings, textTokens } from '#dns/rdata/character_strings'
import type { RecordType } from '#dns/records/record_type'

const FORM = 'flags tag "value", such as 0 issue "ca.example.net" (RFC 8659, 4.1)'
const VALUE_LIMIT = 512
const FLAGS_LIMIT = 255

export const caa: RecordType = {
  type: 'CAA',
  rfc: 'RFC 8659',
  summary: 'The certificate authorities that may issue certificates for this name',
  example: '0 issue "ca.example.net"',
  trap: 'A CAA record for one authority also excludes all others',
  priority: false,
  singleton: false,
  writer: 'editor',
  fields: ['flags', 'tag', 'value'],
  parse: (content) => /^(\d+) (\S+) (.*)$/.exec(content)?.slice(1) ?? [],
  canonical(content) {
    const tokens = textTokens(content)
    if (tokens.length !== 3 || tokens[0].quoted || tokens[1].quoted) {
      throw new InvalidDns('content', content, FORM, { problem: 'is not a CAA content' })
    }
    const [flagsText, tagText, value] = tokens.map((token) => byteText(token.bytes))
    const flags = numberField(flagsText, 'flags', FLAGS_LIMIT, content)
    const tag = tagText.toLowerCase()
    if (!/^[a-z0-9]{1,255}$/.test(tag)) {
      throw new InvalidDns('content', content, FORM, {
        problem: `has the tag ${JSON.stringify(tagText)}, which is not a valid tag`,
      })
    }
    if (value.length > VALUE_LIMIT) {
      throw new InvalidDns('content', content, `a value of at most ${VALUE_LIMIT} bytes`)
    }
    return `${flags} ${tag} ${printStrings([tokens[2].bytes])}`
  },
  fromWire(data) {
    const flags = data.reading('flags').number(1)
    const tag = bareWord(data.reading('tag').sized())
    const value = data.reading('value').bytes(data.remainingBytes)
    return `${flags} ${tag} ${printStrings([value])}`
  },
  present: (content) => content,
  targets: () => [],
}
