import db from '@adonisjs/lucid/services/db'
import interfaceSettings, { ROWS_PER_PAGE } from '#config/interface'
import { retryOnConflict } from '#database/conflicts'
import { invalid } from '#exceptions/refusal'

const TABLE = 'zw_preferences'

export const THEMES = ['system', 'light', 'dark', 'contrast'] as const
export type Theme = (typeof THEMES)[number]

/** Preferences of the web interface. */
export interface Preferences {
  rowsPerPage: number
  theme: Theme
  /** Name of an IANA time zone. */
  timeZone: string
  /** null for the language that the browser requests. */
  language: string | null
  /** Whether to send mail about change requests. */
  reviewMail: boolean
}

/** Values that the user chose; null for the default. */
export type ChosenPreferences = { [Name in keyof Preferences]: Preferences[Name] | null }

/** Values for users without a choice. */
export const DEFAULT_PREFERENCES: Preferences = {
  rowsPerPage: interfaceSettings.rows_per_page,
  theme: 'system',
  timeZone: process.env.TZ || 'UTC',
  language: null,
  reviewMail: true,
}

/** Returns the values that the user chose. */
export async function loadChosenPreferences(userId: number): Promise<ChosenPreferences> {
  const row: {
    rows_per_page: number | null
    theme: string | null
    time_zone: string | null
    language: string | null
    review_mail: boolean | number | null
  } | null = await db.from(TABLE).where('user_id', userId).first()
  const reviewMail = row?.review_mail ?? null
  return {
    // Earlier versions allowed larger values.
    rowsPerPage: row?.rows_per_page ? Math.min(row.rows_per_page, ROWS_PER_PAGE.max) : null,
    theme: THEMES.find((theme) => theme === row?.theme) ?? null,
    timeZone: row?.time_zone ?? null,
    language: row?.language ?? null,
    // Some drivers return booleans as numbers.
    reviewMail: reviewMail === null ? null : Boolean(reviewMail),
  }
}

/** Fills missing values with defaults. */
export function withDefaults(chosen: ChosenPreferences): Preferences {
  return {
    rowsPerPage: chosen.rowsPerPage ?? DEFAULT_PREFERENCES.rowsPerPage,
    theme: chosen.theme ?? DEFAULT_PREFERENCES.theme,
    timeZone: chosen.timeZone ?? DEFAULT_PREFERENCES.timeZone,
    language: chosen.language,
    reviewMail: chosen.reviewMail ?? DEFAULT_PREFERENCES.reviewMail,
  }
}

/** Stores the choice of a user. Throws a 400 `Refusal` for an invalid value. */
export async function storePreferences(userId: number, chosen: ChosenPreferences): Promise<void> {
  const { rowsPerPage, timeZone } = chosen
  const { min, max } = ROWS_PER_PAGE
  if (
    rowsPerPage !== null &&
    !(Number.isInteger(rowsPerPage) && rowsPerPage >= min && rowsPerPage <= max)
  ) {
    throw invalid(`Field 'rows_per_page' must be a whole number from ${min} to ${max}`)
  }
  if (
    timeZone !== null &&
    !Intl.supportedValuesOf('timeZone').includes(timeZone) &&
    timeZone !== 'UTC'
  ) {
    throw invalid(`Field 'time_zone' must be a time zone such as Europe/Berlin`)
  }
  const row = {
    user_id: userId,
    rows_per_page: rowsPerPage,
    theme: chosen.theme,
    time_zone: timeZone,
    language: chosen.language,
    review_mail: chosen.reviewMail,
  }
  await retryOnConflict(() => db.table(TABLE).knexQuery.insert(row).onConflict('user_id').merge())
}
