/** Top-level members besides those of the envelope. */
export interface EnvelopeExtras {
  pagination?: { current_page: number; per_page: number; total: number; last_page: number }
  /** Start of the next page; null at the end of the list. */
  next_cursor?: string | null
  meta?: { timestamp: string }
}

/** The body of every successful API answer. */
export function success(data: object | null, message: string, extras: EnvelopeExtras = {}) {
  return { success: true, data, message, ...extras }
}

/** The body of every failed API answer. */
export function failure(message: string, data: object | null = null, extras: EnvelopeExtras = {}) {
  return { success: false, data, message, ...extras }
}

/** `meta` of some answers: the current time in the time zone of the server. */
export function timestamp(now: Date = new Date()): { timestamp: string } {
  const two = (value: number) => String(value).padStart(2, '0')
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')
  return { timestamp: `${date} ${time}` }
}
