/*
| A hook of `certbot --manual` with the calls of the public DNS plugin certbot-dns-poweradmin. It reads the complete zone list
| without pages and creates a TXT record with an absolute name and without quotes. The cleanup reads the complete record list.
| Called with `auth` or `cleanup`; every call is a line of HOOK_LOG.
*/
import { appendFileSync } from 'node:fs'

const { API_URL, API_KEY, HOOK_LOG, CERTBOT_DOMAIN = '', CERTBOT_VALIDATION = '' } = process.env
const HEADERS = {
  'X-API-Key': API_KEY,
  'User-Agent': 'python-requests/2.28.1',
  'Accept': '*/*',
  'Content-Type': 'application/json',
}

async function call(method, path, body) {
  const response = await fetch(`${API_URL}/api/v2${path}`, {
    method,
    headers: HEADERS,
    redirect: 'error',
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await response.text()
  appendFileSync(HOOK_LOG, `${method} ${path.replace(/\d+/g, 'N')} ${response.status}\n`)
  const answer = text === '' ? {} : JSON.parse(text)
  if (!response.ok) {
    throw new Error(answer.message ?? answer.error ?? `HTTP ${response.status}`)
  }
  return answer.data
}

/** The zone with the longest name that is a suffix of the domain. Case is not ignored. */
async function zoneOf(domain) {
  const { zones } = await call('GET', '/zones')
  const byName = new Map(zones.map((zone) => [zone.name.replace(/\.$/, ''), zone]))
  const labels = domain.split('.')
  for (let start = 0; start < labels.length; start += 1) {
    const zone = byName.get(labels.slice(start).join('.'))
    if (zone) {
      return zone
    }
  }
  throw new Error(`Unable to find a zone for ${domain}`)
}

async function publish(zone, name) {
  const record = { name, type: 'TXT', content: CERTBOT_VALIDATION, ttl: 120 }
  await call('POST', `/zones/${zone.id}/records`, record)
}

async function cleanUp(zone, name) {
  const { records } = await call('GET', `/zones/${zone.id}/records`)
  const mine = records.filter(
    (record) =>
      record.type === 'TXT' &&
      record.name.replace(/\.$/, '') === name &&
      record.content.replace(/^"|"$/g, '') === CERTBOT_VALIDATION
  )
  for (const { id } of mine) {
    await call('DELETE', `/zones/${zone.id}/records/${id}`)
  }
}

const name = `_acme-challenge.${CERTBOT_DOMAIN}`
const zone = await zoneOf(CERTBOT_DOMAIN)
await (process.argv[2] === 'auth' ? publish(zone, name) : cleanUp(zone, name))
