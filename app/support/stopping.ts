const controller = new AbortController()

/** Given when the server begins to stop: answers that never end by themselves end then. */
export const stopping: AbortSignal = controller.signal

/** Gives the signal. */
export function beginToStop(): void {
  controller.abort()
}
