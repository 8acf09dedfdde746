import type { I18n } from '@adonisjs/i18n'
import { cachedFormats } from '#web/format/formats'

const weekdays = cachedFormats(
  (locale: string) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
)

/** Days of a week that a name is taken from: 2023-01-01 was a Sunday. */
const ANY_SUNDAY = Date.UTC(2023, 0, 1)
const DAY_MS = 86_400_000

/** Describes a cron expression of a usual form in words; null for other forms. */
export function cronWords(i18n: I18n, cron: string): string | null {
  const [minute, hour, day, month, weekday, ...rest] = cron.trim().split(/\s+/)
  if (weekday === undefined || rest.length > 0 || month !== '*') {
    return null
  }
  const every = /^\*\/(\d{1,2})$/.exec(minute)
  const isEachDay = day === '*' && weekday === '*'
  if (isEachDay && hour === '*') {
    if (minute === '*') return i18n.t('jobs.every_minutes', { count: 1 })
    if (every) return i18n.t('jobs.every_minutes', { count: Number(every[1]) })
    return /^\d{1,2}$/.test(minute)
      ? i18n.t('jobs.every_hour', { minute: minute.padStart(2, '0') })
      : null
  }
  if (!/^\d{1,2}$/.test(minute)) {
    return null
  }
  const hours = /^\*\/(\d{1,2})$/.exec(hour)
  if (isEachDay && hours) {
    return i18n.t('jobs.every_hours', { count: Number(hours[1]), minute: minute.padStart(2, '0') })
  }
  if (!/^\d{1,2}$/.test(hour)) {
    return null
  }
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (isEachDay) {
    return i18n.t('jobs.every_day', { time })
  }
  if (day === '*' && /^[0-7]$/.test(weekday)) {
    const date = new Date(ANY_SUNDAY + (Number(weekday) % 7) * DAY_MS)
    const name = weekdays(i18n.locale)
    return i18n.t('jobs.every_week', { day: name.format(date), time })
  }
  return weekday === '*' && /^\d{1,2}$/.test(day)
    ? i18n.t('jobs.every_month', { day: Number(day), time })
    : null
}
