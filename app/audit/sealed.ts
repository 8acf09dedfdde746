const listeners = new Set<() => void>()

/** Calls the listener after this process sealed events. Returns the function that removes it. The listener must not throw. */
export function onSealed(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Notifies the listeners of this process. */
export function notifySealed(): void {
  listeners.forEach((listener) => listener())
}
