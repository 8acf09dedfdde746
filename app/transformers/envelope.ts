/** Top-level members beside the three of the envelope. */
export interface EnvelopeExtras {
  pagination?: { current_page: number; per_page: number; total: number; last_page: number }
  /** Where the next page of a list begins; null at the end of a walk. */
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

/** `meta` of the answers that carry it: now, in the server's time zone. */
export function timestamp(now: Date = new Date()): { timestamp: string } {
  const two = (value: number) => String(value).padStart(2, '0')
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':')
  return { timestamp: `${date} ${time}` }
}
