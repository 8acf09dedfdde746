import type { ApiClient } from '@japa/api-client'
import { caller, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { person } from '#tests/support/app/people/people'

/** Body of the response to a request without a valid key. */
export const REFUSED = {
  success: false,
  data: null,
  message: 'Unauthorized: Invalid credentials',
}

/** Creates a user who manages keys and owns a zone. */
export async function manager(client: ApiClient) {
  const user = await person({ template: 'Zone Manager' })
  const as = caller(client, user)
  return { who: user, as, zone: await createZone(as, { name: zoneNamed() }) }
}

/** Returns the status that a key gets for reading zones. Asserts that a refusal reveals no reason. */
export async function statusWith(client: ApiClient, key: string): Promise<number> {
  const response = await client.get('/api/v2/zones').header('x-api-key', key)
  if (response.status() === 401) response.assertBody(REFUSED)
  return response.status()
}
