import type { Ask } from '#tests/support/conformance/ask'
import type { Scene } from '#tests/support/conformance/scene'
import type { Endpoint } from '../endpoints.js'

/** The status of an endpoint, the member of `data` that it answers with, its path here, and a body. */
export type Call = [status: number, member: string | null, path: string, body?: object, ask?: Ask]

/** How endpoints are called, each with what has to be there before. */
export type Calls = Partial<Record<Endpoint, (scene: Scene) => Promise<Call>>>

/** An address record. */
export const ADDRESS = { name: 'a', type: 'A', content: '192.0.2.1' }

/** The path of what is made, with something behind it. */
export async function pathOf(made: Promise<{ path: string }>, tail = ''): Promise<string> {
  const { path } = await made
  return path + tail
}
