import { IANAZone } from 'luxon'
import type { CronFields } from '#background/scheduler/cron'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Offsets from UTC are between -12 and +14 hours: UTC is within this distance of any local time. */
const MAX_AHEAD_MS = 15 * HOUR_MS
const MAX_BEHIND_MS = 13 * HOUR_MS

/** The calendar repeats after 28 years, except at some centuries. A date that is not found within 41 years does not exist. */
const LONGEST_SEARCH_DAYS = 366 * 41

/** A schedule: fields of the local time in a time zone. */
export interface Schedule {
  fields: CronFields
  /** Name of the IANA time zone. */
  timezone: string
}

/** Whether there is a time zone of this name. */
export function isTimezone(name: string): boolean {
  return IANAZone.isValidZone(name)
}

/**
 * The first due time after `after`, both in milliseconds since 1970, to the second; null if there is none. The result
 * depends on the arguments only, so all nodes compute the same times.
 *
 * Clock set forward: a due time in the skipped hour is due once, at the start of that hour. Clock set back: a due time in
 * the repeated hour is due in the first one; a schedule for every hour is due in both.
 */
export function nextDue({ fields, timezone }: Schedule, after: number): number | null {
  const zone = new IANAZone(timezone)
  const isHourly = fields.hours.length === 24
  // The local time after `after` can be lower, if the clock is set back in between.
  let wall = after + Math.min(offsetAt(zone, after), offsetAt(zone, after + DAY_MS))
  let second: number | null = null
  for (;;) {
    const next = nextWall(fields, wall)
    if (next === null) {
      return second
    }
    const [first, again] = timestampsOf(zone, next)
    if (again !== undefined && isHourly && again > after) {
      second = second === null ? again : Math.min(second, again)
    }
    if (first > after) {
      return second === null ? first : Math.min(first, second)
    }
    wall = next
  }
}

/** The offset from UTC at a time, in ms; east is positive. */
function offsetAt(zone: IANAZone, moment: number): number {
  return zone.offset(moment) * MINUTE_MS
}

/**
 * The times with this local time, in order: one; two if the clock was set back; the time of the step if the clock was set
 * forward past it. `wall` is the local time as if it were UTC.
 */
function timestampsOf(zone: IANAZone, wall: number): [number] | [number, number] {
  const before = offsetAt(zone, wall - MAX_AHEAD_MS)
  const behind = offsetAt(zone, wall + MAX_BEHIND_MS)
  if (before === behind) {
    return [wall - before]
  }
  const shows = [before, behind].filter((offset) => offsetAt(zone, wall - offset) === offset)
  if (shows.length === 0) {
    return [stepBetween(zone, wall - behind, wall - before)]
  }
  const timestamps = shows.map((offset) => wall - offset)
  return timestamps.length === 1 ? [timestamps[0]] : [timestamps[0], timestamps[1]]
}

/** The first time with the new offset, between two times with different offsets. */
function stepBetween(zone: IANAZone, early: number, late: number): number {
  const old = offsetAt(zone, early)
  let [low, high] = [early, late]
  while (high - low > SECOND_MS) {
    const middle = low + Math.ceil((high - low) / 2 / SECOND_MS) * SECOND_MS
    if (offsetAt(zone, middle) === old) {
      low = middle
    } else if (middle === high) {
      break
    } else {
      high = middle
    }
  }
  return high
}

/** The first thing after `wall` that a clock shows and the fields let in; null when there is none. */
function nextWall(fields: CronFields, wall: number): number | null {
  const from = (Math.floor(wall / SECOND_MS) + 1) * SECOND_MS
  let day = Math.floor(from / DAY_MS) * DAY_MS
  for (let days = 0; days < LONGEST_SEARCH_DAYS; days += 1, day += DAY_MS) {
    if (isDay(fields, day)) {
      const time = timeFrom(fields, Math.max(0, from - day))
      if (time !== null) {
        return day + time
      }
    }
  }
  return null
}

function isDay({ days, months, weekdays }: CronFields, day: number): boolean {
  const date = new Date(day)
  return (
    months.has(date.getUTCMonth() + 1) &&
    days.has(date.getUTCDate()) &&
    weekdays.has(date.getUTCDay())
  )
}

/** The first time of day from `time` on, in ms since midnight; null when there is none on that day. */
function timeFrom({ hours, minutes, seconds }: CronFields, time: number): number | null {
  for (const hour of hours) {
    const startOfHour = hour * HOUR_MS
    if (startOfHour + HOUR_MS <= time) continue
    for (const minute of minutes) {
      const startOfMinute = startOfHour + minute * MINUTE_MS
      if (startOfMinute + MINUTE_MS <= time) continue
      const second = seconds.find((one) => startOfMinute + one * SECOND_MS >= time)
      if (second !== undefined) {
        return startOfMinute + second * SECOND_MS
      }
    }
  }
  return null
}
