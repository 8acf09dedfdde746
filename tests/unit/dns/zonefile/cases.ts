import { readFileSync } from 'node:fs'

/** Zone files in the style of other programs. After a separator line: the expected result of reading and writing. */
export const FOLDER = new URL('cases/', import.meta.url)

/** The zones of the cases, by the names of their files. */
export const ORIGINS: Record<string, string> = {
  'servers/bind-generate': 'office.example',
  'cloudflare': 'cf.example',
  'cpanel': 'cp.example',
  'servers/dig-axfr': 'dig.example',
  'dnscontrol': 'dc.example',
  'godaddy': 'gd.example',
  'google-cloud': 'gc.example',
  'hand-written': 'hand.example',
  'hostile-texts': 'txt.example',
  'infomaniak': 'im.example',
  'servers/knot': 'knot.example',
  'servers/nsd': 'nsd.example',
  'octodns': 'octo.example',
  'own-export': 'own.example',
  'servers/pdnsutil-list-zone': 'pdns.example',
  'plesk': 'plesk.example',
  'servers/powerdns-api-export': 'api.example',
  'reverse-rfc2317': '2.0.192.in-addr.arpa',
  'route53-cli53': 'aws.example',
  'servers/signed-transfer': 'signed.example',
  'servers/tinydns': 'tiny.example',
  'servers/windows-dns': 'win.example',
}

const LINE = '=== expected\n'

/** Returns a case: the zone file, which may end without a line break, and the expected output. */
export function readCase(name: string): { zone: string; expected: string } {
  const text = readFileSync(new URL(`${name}.txt`, FOLDER), 'utf8')
  const at = text.indexOf(LINE)
  return { zone: text.slice(0, at), expected: text.slice(at + LINE.length) }
}
