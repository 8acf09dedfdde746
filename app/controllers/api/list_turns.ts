import type { ServerResponse } from 'node:http'
import api from '#config/api'
import { Refusal } from '#exceptions/refusal'

/** So long a whole list waits for its turn; a test shortens it. */
export const LIST_TURNS = { waitMs: 20_000 }

const RETRY_AFTER_SECONDS = 5

let taken = 0
/** Who waits, in the order they came: each is told that its turn has come. */
const waiting = new Set<() => void>()

/**
 * Waits until this process may send one more whole list (`api.max_whole_lists`): each takes megabytes until its client has
 * it. Nothing of the database is held meanwhile.
 *
 * Throws a 429 `Refusal` where the wait is too long. The turn ends with the function that comes back, once, or when the answer
 * has been sent or its client is gone.
 */
export async function takeListTurn(response: ServerResponse): Promise<() => void> {
  if (taken < api.max_whole_lists) {
    taken++
  } else {
    await turnOf(response)
  }
  let isTaken = true
  const end = () => {
    if (!isTaken) return
    isTaken = false
    const [next] = waiting
    if (next) {
      // The turn is handed over, so that nobody who comes in between gets ahead.
      next()
    } else {
      taken--
    }
  }
  response.once('close', end)
  if (response.closed) end()
  return end
}

/** Resolves when a turn was handed over. Of a client that is gone nothing is known any more. */
function turnOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      waiting.delete(come)
      response.off('close', refuse)
    }
    const come = () => {
      leave()
      resolve()
    }
    const refuse = () => {
      leave()
      reject(tooMany())
    }
    const timer = setTimeout(refuse, LIST_TURNS.waitMs)
    response.once('close', refuse)
    waiting.add(come)
  })
}

function tooMany(): Refusal {
  const refusal = new Refusal(
    429,
    `The server sends as many whole lists at once as it may (${api.max_whole_lists}): try again in a moment, or ask by page`
  )
  refusal.headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
  return refusal
}
