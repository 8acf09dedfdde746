import nodeCron from 'node-cron'

/** Times of day and days that match a cron expression: the allowed values of each field. */
export interface CronFields {
  seconds: readonly number[]
  minutes: readonly number[]
  hours: readonly number[]
  days: ReadonlySet<number>
  /** 1 to 12. */
  months: ReadonlySet<number>
  /** 0 is Sunday. */
  weekdays: ReadonlySet<number>
}

/** Allowed forms, for error messages. */
export const CRON_FORMS =
  'five fields (minute, hour, day of the month, month, weekday), or six with seconds first; numbers, names, lists, ranges and steps'

/**
 * Parses a cron expression with node-cron; null if it is invalid. If day and weekday are both given, both must match. Refuses
 * days that are no numbers (`L`, `15W`, `1#2`).
 */
export function parseCron(text: string): CronFields | null {
  if (!nodeCron.validate(text)) {
    return null
  }
  const fields = nodeCron.parse(text)
  const { second, minute, hour, dayOfMonth, month, dayOfWeek } = fields
  if (![...dayOfMonth, ...dayOfWeek].every((day) => typeof day === 'number')) {
    return null
  }
  return {
    seconds: sortUnique(second),
    minutes: sortUnique(minute),
    hours: sortUnique(hour),
    days: new Set(dayOfMonth as number[]),
    months: new Set(month),
    weekdays: new Set(dayOfWeek as number[]),
  }
}

function sortUnique(values: number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}
