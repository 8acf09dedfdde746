const controller = new AbortController()

/** Aborted when the server stops. Event streams end then. */
export const stopping: AbortSignal = controller.signal

/** Aborts `stopping`. */
export function beginToStop(): void {
  controller.abort()
}
