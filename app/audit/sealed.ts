const listeners = new Set<() => void>()

/** Calls the listener whenever this process has sealed events; returns what ends that. The listener must not throw. */
export function onSealed(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Tells those who listen in this process that the chain goes on. */
export function notifySealed(): void {
  listeners.forEach((listener) => listener())
}
