import type { Assert } from '@japa/assert'
import type { TAG_DESCRIPTIONS as TAGS } from '#openapi/api'
import { zoneNamed } from '#tests/support/app/names'
import { take, type TypedClient } from '#tests/support/typed_client/client'

/** Tags that group the operations of the API. */
export type Tag = keyof typeof TAGS

/** Context of a scenario. */
export interface TypedScene {
  assert: Assert
  /** The API with the key of an administrator. */
  api: TypedClient
  /** Returns the API with another key. */
  as: (key: string) => TypedClient
}

/** A typical use of the operations with one tag. */
export type Scenario = (scene: TypedScene) => Promise<void>

/** Creates a zone with an NS record and two addresses at `www`. */
export async function typedZone({ api }: TypedScene): Promise<{ id: number; name: string }> {
  const name = zoneNamed('typed')
  const id = await take(api.POST('/v2/zones', { body: { name, type: 'MASTER' } }), 'zone_id')
  const rrset = (owner: string, type: string, contents: string[]) =>
    take(
      api.PUT('/v2/zones/{id}/rrsets', {
        params: { path: { id } },
        body: {
          name: owner,
          type,
          ttl: 300,
          records: contents.map((content) => ({ content })),
        },
      }),
      'rrset'
    )
  await rrset('@', 'NS', ['ns1.example.net'])
  await rrset('www', 'A', ['192.0.2.1', '192.0.2.2'])
  return { id, name }
}
