import { readFileSync } from 'node:fs'

/** Each folder of it has a zone file in the style of a maker, and what reading and writing makes of it. */
export const FOLDER = new URL('cases/', import.meta.url)

/** The zones of the cases, by folder. */
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

/** A file of a case. */
export function readCase(folder: string, file: 'zone.txt' | 'expected.txt'): string {
  return readFileSync(new URL(`${folder}/${file}`, FOLDER), 'utf8')
}
