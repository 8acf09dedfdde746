import { cachedFormats } from '#web/format/formats'
import { TTL_LIMIT } from '#dns/rdata/ttl'
import { printTtl } from '#dns/rdata/ttl_text'

const UNITS = [
  ['weeks', 604_800],
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const

/** A TTL as in lists of records, such as `1h30m`; in seconds if that is not exact. */
export function ttlText(seconds: number): string {
  return seconds >= 0 && seconds <= TTL_LIMIT ? printTtl(seconds) : String(seconds)
}

const formats = cachedFormats(
  (locale: string, secondsDisplay: 'always' | 'auto') =>
    new Intl.DurationFormat(locale, { style: 'short', secondsDisplay })
)

/** A duration in words, such as `1 hr, 30 min`, in the largest exact units. */
export function durationText(locale: string, seconds: number): string {
  const parts: Partial<Record<(typeof UNITS)[number][0], number>> = {}
  let remainingSeconds = Math.max(0, Math.floor(seconds))
  for (const [unit, size] of UNITS) {
    if (remainingSeconds >= size) {
      parts[unit] = Math.floor(remainingSeconds / size)
      remainingSeconds %= size
    }
  }
  const isNone = Object.keys(parts).length === 0
  const format = formats(locale, isNone ? 'always' : 'auto')
  return format.format(isNone ? { seconds: 0 } : parts)
}
