import type { ApiClient } from '@japa/api-client'
import { caller, dataOf, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { stateOf } from '#tests/support/app/zones/zones'

type Zone = { id: number; name: string }

/** Builds the `records` member of an action. */
export const records = (...contents: string[]) => contents.map((content) => ({ content }))

/** Builds an action that adds an address record. */
export const add = (name: string, content: string, overrides: object = {}) => ({
  op: 'add',
  name,
  type: 'A',
  records: records(content),
  ...overrides,
})

/** Two zones, and a user who may change both. */
export interface Scene {
  as: Caller
  alpha: Zone
  beta: Zone
  /** Sends a change set, by default as the owner of the zones. */
  change(actions: object[], overrides?: object, asUser?: Caller): ReturnType<Caller['post']>
  /** Returns the plan of a dry run. */
  plan(actions: object[]): ReturnType<typeof dataOf>
  /** Returns an RRset from the API, or a member of it such as 'records.0.content'. */
  rrset(zone: Zone, name: string, type: string, member?: string): ReturnType<typeof dataOf>
  /** Returns the entity tag of an RRset. */
  tagOf(zone: Zone, name: string, type: string): Promise<string>
  bothStates(): Promise<Awaited<ReturnType<typeof stateOf>>[]>
}

export async function changeScene(client: ApiClient, who: { key: string }): Promise<Scene> {
  const as = caller(client, who)
  const alpha = await createZone(as, { name: zoneNamed('alpha') })
  const beta = await createZone(as, { name: zoneNamed('beta') })
  const change: Scene['change'] = (actions, overrides = {}, asOther = as) =>
    asOther.post('/changes', { actions, ...overrides })
  const read = (zone: Zone, name: string, type: string) =>
    as.get(`/zones/${zone.id}/rrsets/${name}/${type}`)
  return {
    as,
    alpha,
    beta,
    change,
    plan: (actions) => dataOf(change(actions, { dry_run: true }), 'plan'),
    rrset: (zone, name, type, member = '') => dataOf(read(zone, name, type), `rrset.${member}`),
    async tagOf(zone, name, type) {
      const response = await read(zone, name, type)
      return response.header('etag')!
    },
    bothStates: async () => [await stateOf(alpha.id), await stateOf(beta.id)],
  }
}
