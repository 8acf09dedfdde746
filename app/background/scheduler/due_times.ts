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
const MAX_SEARCH_DAYS = 366 * 41

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
  let localTime = after + Math.min(offsetAt(zone, after), offsetAt(zone, after + DAY_MS))
  let second: number | null = null
  for (;;) {
    const next = nextLocalTime(fields, localTime)
    if (next === null) {
      return second
    }
    const [first, repeatedTime] = timestampsOf(zone, next)
    if (repeatedTime !== undefined && isHourly && repeatedTime > after) {
      second = second === null ? repeatedTime : Math.min(second, repeatedTime)
    }
    if (first > after) {
      return second === null ? first : Math.min(first, second)
    }
    localTime = next
  }
}

/** The offset from UTC at a time, in ms; east is positive. */
function offsetAt(zone: IANAZone, time: number): number {
  return zone.offset(time) * MINUTE_MS
}

/**
 * The times with this local time, in order: one; two if the clock was set back; the time of the step if the clock was set
 * forward past it. `localTime` is the local time as if it were UTC.
 */
function timestampsOf(zone: IANAZone, localTime: number): [number] | [number, number] {
  const offsetBefore = offsetAt(zone, localTime - MAX_AHEAD_MS)
  const offsetAfter = offsetAt(zone, localTime + MAX_BEHIND_MS)
  if (offsetBefore === offsetAfter) {
    return [localTime - offsetBefore]
  }
  const matchingOffsets = [offsetBefore, offsetAfter].filter(
    (offset) => offsetAt(zone, localTime - offset) === offset
  )
  if (matchingOffsets.length === 0) {
    return [findOffsetChange(zone, localTime - offsetAfter, localTime - offsetBefore)]
  }
  const timestamps = matchingOffsets.map((offset) => localTime - offset)
  return timestamps.length === 1 ? [timestamps[0]] : [timestamps[0], timestamps[1]]
}

/** The first time with the new offset, between two times with different offsets. */
function findOffsetChange(zone: IANAZone, early: number, late: number): number {
  const oldOffset = offsetAt(zone, early)
  let [low, high] = [early, late]
  while (high - low > SECOND_MS) {
    const middle = low + Math.ceil((high - low) / 2 / SECOND_MS) * SECOND_MS
    if (offsetAt(zone, middle) === oldOffset) {
      low = middle
    } else if (middle === high) {
      break
    } else {
      high = middle
    }
  }
  return high
}

/** The first local time after `localTime` that matches the fields; null if there is none. */
function nextLocalTime(fields: CronFields, localTime: number): number | null {
  const from = (Math.floor(localTime / SECOND_MS) + 1) * SECOND_MS
  let day = Math.floor(from / DAY_MS) * DAY_MS
  for (let days = 0; days < MAX_SEARCH_DAYS; days += 1, day += DAY_MS) {
    if (isDueDay(fields, day)) {
      const time = firstTimeOfDay(fields, Math.max(0, from - day))
      if (time !== null) {
        return day + time
      }
    }
  }
  return null
}

function isDueDay({ days, months, weekdays }: CronFields, day: number): boolean {
  const date = new Date(day)
  return (
    months.has(date.getUTCMonth() + 1) &&
    days.has(date.getUTCDate()) &&
    weekdays.has(date.getUTCDay())
  )
}

/** The first time of day from `time` on, in ms since midnight; null when there is none on that day. */
function firstTimeOfDay({ hours, minutes, seconds }: CronFields, time: number): number | null {
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
