import { cachedFormats } from '#web/format/formats'

/** Texts of a timestamp. */
export interface TimestampTexts {
  /** ISO 8601 in UTC. */
  iso: string
  /** Date and time in the visitor's zone, which it names. */
  absolute: string
  /** The time relative to now, such as `3 minutes ago`. */
  relative: string
}

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const dates = cachedFormats(
  (locale: string, timeZone: string) =>
    new Intl.DateTimeFormat(locale, {
      timeZone,
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    })
)

const distances = cachedFormats(
  (locale: string) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
)

/** Formats a timestamp for display. */
export function timestampTexts(
  locale: string,
  timeZone: string,
  at: string,
  now = Date.now()
): TimestampTexts {
  const date = new Date(at)
  const absolute = dates(locale, timeZone).format(date)
  return { iso: date.toISOString(), absolute, relative: relative(locale, date.getTime() - now) }
}

function relative(locale: string, milliseconds: number): string {
  const format = distances(locale)
  const seconds = milliseconds / 1000
  const [unit, size] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1]
  return format.format(Math.round(seconds / size), unit)
}
