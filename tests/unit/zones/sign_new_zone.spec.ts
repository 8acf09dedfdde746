import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import type { BackendZone } from '#backends/contract/backend'
import { BackendUnavailable, NotExecuted, WriteRefused, ZoneGone } from '#backends/contract/errors'
import { intentOf } from '#changes/model/intent'
import { invalid } from '#exceptions/refusal'
import type { SigningDirectory } from '#zones/dnssec/signing_context'
import { SignNewZone } from '#zones/dnssec/sign_new_zone'
import type { ZoneSigningStates } from '#zones/dnssec/zone_signing'

const ZONE: BackendZone = { id: 1, name: 'a.test', kind: 'NATIVE', masters: [], account: null }

/** Returns the error for an existing zone whose signing failed with `error`. */
function errorOf(error: Error) {
  const states = { sign: () => Promise.reject(error) }
  const directory = { backend: { signing: {} } }
  const signer = new SignNewZone(
    directory as unknown as SigningDirectory,
    states as unknown as ZoneSigningStates
  )
  return signer.sign(intentOf(maintainer()), ZONE)
}

test.group('Signing a new zone', () => {
  for (const [error, outcome, reason] of [
    [invalid('The zone lacks an NS record'), 'not_signed', 'lacks an NS record'],
    [new WriteRefused('NSEC3PARAM is bad'), 'not_signed', 'does not accept this: NSEC3PARAM is'],
    [new NotExecuted('no entry'), 'not_signed', 'cannot be reached'],
    [new BackendUnavailable('away'), 'unconfirmed', 'did not answer'],
    [new ZoneGone('gone'), 'unconfirmed', 'internal error'],
    [new Error('select secret: lost'), 'unconfirmed', 'internal error'],
  ] as const) {
    test(`the response reports the zone if signing fails with ${error.constructor.name}`, async ({
      assert,
    }) => {
      const returned = await errorOf(error)
      assert.equal(returned.outcome, outcome)
      assert.include(returned.reason ?? '', reason)
      assert.notInclude(returned.reason ?? '', 'select')
    })
  }
})
