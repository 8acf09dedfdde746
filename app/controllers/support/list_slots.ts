import type { ServerResponse } from 'node:http'
import api from '#config/api'
import { RequestSlots } from '#middleware/request_slots'

/** How long a whole list waits for a slot; tests shorten it. */
export const LIST_SLOTS = { waitMs: 20_000 }

const slots = new RequestSlots({
  most: () => api.max_whole_lists,
  waitMs: () => LIST_SLOTS.waitMs,
  tooMany: () =>
    `The server sends as many whole lists at once as it may (${api.max_whole_lists}): try again in a moment, or ask by page`,
})

/**
 * Waits for a slot of a whole list (`api.max_whole_lists`): each takes megabytes until it is sent.
 * Holds no database connection while it waits. Throws a 429 `Refusal` after the maximal wait. The
 * returned function releases the slot, as does the end of the response.
 */
export function takeListSlot(response: ServerResponse): Promise<() => void> {
  return slots.take(response)
}
