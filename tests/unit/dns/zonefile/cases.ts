import { readFileSync } from 'node:fs'

/** Each file of it has a zone file in the style of a maker and, behind a line, what reading and writing makes of it. */
export const FOLDER = new URL('cases/', import.meta.url)

/** The zones of the cases, by the names of their files. */
export const ORIGINS: Record<string, string> = {
  'bind-generate': 'office.example',
  'cloudflare': 'cf.example',
  'cpanel': 'cp.example',
  'dig-axfr': 'dig.example',
  'dnscontrol': 'dc.example',
  'godaddy': 'gd.example',
  'google-cloud': 'gc.example',
  'hand-written': 'hand.example',
  'hostile-texts': 'txt.example',
  'infomaniak': 'im.example',
  'knot': 'knot.example',
  'nsd': 'nsd.example',
  'octodns': 'octo.example',
  'own-export': 'own.example',
  'pdnsutil-list-zone': 'pdns.example',
  'plesk': 'plesk.example',
  'powerdns-api-export': 'api.example',
  'reverse-rfc2317': '2.0.192.in-addr.arpa',
  'route53-cli53': 'aws.example',
  'signed-transfer': 'signed.example',
  'tinydns': 'tiny.example',
  'windows-dns': 'win.example',
}

const LINE = '=== expected\n'

/** A case: the zone file, which may end without a line break, and what is written of it. */
export function readCase(name: string): { zone: string; expected: string } {
  const text = readFileSync(new URL(`${name}.txt`, FOLDER), 'utf8')
  const at = text.indexOf(LINE)
  return { zone: text.slice(0, at), expected: text.slice(at + LINE.length) }
}
