// @api-backend(all)
import { test } from '@japa/runner'
import { findActorOfUser } from '#accounts/authenticate'
import { WriteRefused, WriteUnconfirmed, ZoneGone } from '#backends/contract/errors'
import type { BackendManager } from '#backends/manager'
import type { WriteSession } from '#backends/contract/write_session'
import { intentOf } from '#changes/model/intent'
import { codeOfError } from '#controllers/dyndns/errors'
import { createZone } from '#tests/support/app/api'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import { zoneNamed } from '#tests/support/app/names'
import { addressesOf, dyndnsScene, type DyndnsScene } from '#tests/support/dyndns/scene'
import { DynamicDns } from '#zones/dynamic_dns/update_hosts'

let scene: DyndnsScene

/** Returns the object with one method replaced. */
function replacing<T extends object>(target: T, name: keyof T, method: unknown): T {
  return new Proxy(target, {
    get(_, member) {
      const value: unknown = member === name ? method : Reflect.get(target, member)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Creates dynamic DNS on a name server that refuses the records of one zone. */
async function refusing(zoneId: number, error: Error): Promise<DynamicDns> {
  const real = await backendUnderTest()
  const apply = (session: WriteSession): WriteSession['applyRRsets'] => {
    return async (zone, changes) => {
      if (zone.id === zoneId) throw error
      return session.applyRRsets(zone, changes)
    }
  }
  const backend = replacing(real, 'write', (work: (session: WriteSession) => Promise<unknown>) =>
    real.write((session) => work(replacing(session, 'applyRRsets', apply(session))))
  )
  return new DynamicDns({ use: () => backend } as unknown as BackendManager)
}

test.group('Hosts of one update that the name server refuses', (group) => {
  group.each.setup(async (t) => {
    scene = await dyndnsScene(t.context.client)
  })

  for (const [error, code, others] of [
    [new WriteRefused('it may not be'), 'dnserr', 'good'],
    [new ZoneGone('gone'), 'nohost', 'good'],
    [new WriteUnconfirmed('cut off'), '911', '911'],
  ] as const) {
    test(`with a ${error.constructor.name} the host gets ${code} and others get ${others}`, async ({
      assert,
    }) => {
      const { admin, owner, host } = scene
      const bad = await createZone(admin, { name: zoneNamed('dyn'), owner_user_id: owner.id })
      const { actor } = (await findActorOfUser(owner.id, 'dyndns'))!
      const dynamicDns = await refusing(bad.id, error)
      const inputs = {
        A: { kind: 'set' as const, addresses: ['192.0.2.1'] },
        AAAA: { kind: 'keep' as const },
      }
      const results = await dynamicDns.updateEach(
        intentOf(actor),
        [host, `home.${bad.name}`].map((hostname) => ({ hostname, updates: inputs })),
        async () => {}
      )
      const codes = results.map((one) => ('error' in one ? codeOfError(one.error) : 'good'))
      assert.deepEqual(codes, [others, code])
      assert.deepEqual(await addressesOf(host), others === 'good' ? ['A 192.0.2.1'] : [])
    })
  }
})
