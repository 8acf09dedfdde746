// @process
import { test } from '@japa/runner'
import { OPERATIONS } from '#openapi/api'
import { administrator } from '#tests/support/app/people/people'
import { SigningServer } from '#tests/support/app/zones/signing'
import { ACCOUNT_SCENARIOS } from '#tests/support/typed_client/accounts'
import { CHANGE_SCENARIOS } from '#tests/support/typed_client/changes'
import { typedClient } from '#tests/support/typed_client/client'
import type { Scenario, Tag } from '#tests/support/typed_client/scene'
import { SERVICE_SCENARIOS } from '#tests/support/typed_client/service'
import { ZONE_SCENARIOS } from '#tests/support/typed_client/zones'

/** A tag without a scenario does not compile. */
const SCENARIOS: Record<Tag, Scenario> = {
  ...ZONE_SCENARIOS,
  ...CHANGE_SCENARIOS,
  ...ACCOUNT_SCENARIOS,
  ...SERVICE_SCENARIOS,
}

test.group('A client with the types of the description', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer
  let admin: { key: string }

  group.setup(async () => {
    server = await SigningServer.here({ approval: { enabled: true } })
    admin = await administrator()
    return () => server.stop()
  })

  for (const [tag, scenario] of Object.entries(SCENARIOS)) {
    test(`${tag}: typed requests get typed responses`, async ({ assert }) => {
      const calls = new Set<string>()
      const as = (key: string) => typedClient(server.url, key, (call) => calls.add(call))
      await scenario({ assert, api: as(admin.key), as })
      assert.isTrue([...calls].some((call) => OPERATIONS[call].tag === tag))
    })
  }
})
