import type { ServerResponse } from 'node:http'
import api from '#config/api'
import { Turns } from '#middleware/turns'

/** So long a whole list waits for its turn; a test shortens it. */
export const LIST_TURNS = { waitMs: 20_000 }

const turns = new Turns({
  most: () => api.max_whole_lists,
  waitMs: () => LIST_TURNS.waitMs,
  tooMany: () =>
    `The server sends as many whole lists at once as it may (${api.max_whole_lists}): try again in a moment, or ask by page`,
})

/**
 * Waits until this process may send one more whole list (`api.max_whole_lists`): each takes megabytes until its client has
 * it. Nothing of the database is held meanwhile.
 *
 * Throws a 429 `Refusal` where the wait is too long. The turn ends with the function that comes back, once, or when the answer
 * has been sent or its client is gone.
 */
export function takeListTurn(response: ServerResponse): Promise<() => void> {
  return turns.take(response)
}
