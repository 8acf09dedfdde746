const MAX_TIME_SECONDS = 4294967295

/**
 * Parses the time of a signature (RFC 4034, 3.2): `YYYYMMDDHHMMSS` in UTC, or up to ten digits of seconds. Returns seconds
 * since 1970; undefined for other texts and for times after 2106.
 */
export function parseSignatureTime(text: string): number | undefined {
  const seconds = /^\d{14}$/.test(text) ? secondsOfDate(text) : secondsOfNumber(text)
  return seconds !== undefined && seconds >= 0 && seconds <= MAX_TIME_SECONDS ? seconds : undefined
}

/** Prints seconds since 1970 as `YYYYMMDDHHMMSS` in UTC. */
export function printSignatureTime(seconds: number): string {
  return new Date(seconds * 1000)
    .toISOString()
    .replace(/[^0-9]/g, '')
    .slice(0, 14)
}

function secondsOfNumber(text: string): number | undefined {
  return /^\d{1,10}$/.test(text) ? Number(text) : undefined
}

function secondsOfDate(text: string): number | undefined {
  const part = (from: number, to: number) => Number(text.slice(from, to))
  const [year, month, day] = [part(0, 4), part(4, 6), part(6, 8)]
  const time = Date.UTC(year, month - 1, day, part(8, 10), part(10, 12), part(12, 14))
  const seconds = time / 1000
  if (seconds < 0 || seconds > MAX_TIME_SECONDS) return undefined
  return printSignatureTime(seconds) === text ? seconds : undefined
}
