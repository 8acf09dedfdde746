import { check, section, type Check } from '#tests/support/conformance/check'
import type { Scene } from '#tests/support/conformance/scene'
import type { Endpoint } from '../endpoints.js'
import { ACCOUNT_CALLS } from '../calls/accounts.js'
import type { Call } from '../calls/call.js'
import { ZONE_CALLS } from '../calls/zones.js'

const CALLS: Record<Endpoint, (scene: Scene) => Promise<Call>> = {
  ...ZONE_CALLS,
  ...ACCOUNT_CALLS,
}

function endpoint([name, prepare]: [string, (scene: Scene) => Promise<Call>]): Check {
  return check(name, '', async (scene) => {
    const [status, member, path, body, sendRequest = scene.root] = await prepare(scene)
    const [method] = name.split(' ')
    const { body: answer } = await scene.want(status, sendRequest(method, path, body))
    if (member) {
      scene.assert.isTrue(answer.success)
      scene.assert.property(answer.data, member)
    }
  })
}

export const endpoints = section('Endpoints', ...Object.entries(CALLS).map(endpoint))
