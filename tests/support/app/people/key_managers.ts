import type { ApiClient } from '@japa/api-client'
import { caller, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { person } from '#tests/support/app/people/people'

/** What a request without a valid key is answered. */
export const REFUSED = {
  success: false,
  data: null,
  message: 'Unauthorized: Invalid credentials',
}

/** Somebody who manages keys, with a zone that they own. */
export async function manager(client: ApiClient) {
  const who = await person({ template: 'Zone Manager' })
  const as = caller(client, who)
  return { who, as, zone: await createZone(as, { name: zoneNamed() }) }
}

/** The status that a key gets for reading zones; a refusal says nothing more. */
export async function statusWith(client: ApiClient, key: string): Promise<number> {
  const response = await client.get('/api/v2/zones').header('x-api-key', key)
  if (response.status() === 401) response.assertBody(REFUSED)
  return response.status()
}
