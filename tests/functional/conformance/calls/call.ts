import type { Ask } from '#tests/support/conformance/ask'
import type { Scene } from '#tests/support/conformance/scene'
import type { Endpoint } from '../endpoints.js'

/** Status of an endpoint, the member of `data` in its response, its path below /api/v2, and a body. */
export type Call = [status: number, member: string | null, path: string, body?: object, ask?: Ask]

/** Calls of endpoints. Each creates the objects that its call requires. */
export type Calls = Partial<Record<Endpoint, (scene: Scene) => Promise<Call>>>

/** An address record. */
export const ADDRESS = { name: 'a', type: 'A', content: '192.0.2.1' }

/** Returns the path of the created object with a suffix. */
export async function pathOf(created: Promise<{ path: string }>, tail = ''): Promise<string> {
  const { path } = await created
  return path + tail
}
