const last = new Map<number, Promise<unknown>>()

/**
 * Lets changes of one zone's signing in this process follow each other: each looks at the keys first, and the name
 * server would carry out two that looked at the same time. Other processes are not waited for.
 */
export async function inTurn<T>(zoneId: number, work: () => Promise<T>): Promise<T> {
  const before = last.get(zoneId) ?? Promise.resolve()
  const turn = before.then(work, work)
  last.set(zoneId, turn)
  try {
    return await turn
  } finally {
    if (last.get(zoneId) === turn) {
      last.delete(zoneId)
    }
  }
}
