import type { Kind, Parsed } from '#settings/setting'

/** Limits of a number, both included. Messages contain the unit. */
export type NumberLimits = { min?: number; max?: number; unit?: string }

/** The form of a text: a pattern or a check, with its description. */
export type StringShape = {
  pattern?: RegExp
  isText?: (text: string) => boolean
  says?: string
}

const TRUE_WORDS = ['true', '1', 'yes', 'on']
const FALSE_WORDS = ['false', '0', 'no', 'off']
const DECIMAL_INTEGER = /^-?(0|[1-9]\d*)$/
const DECIMAL_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** True or false. Variables also accept 1/0, yes/no and on/off, without case. */
export const booleanKind: Kind<boolean> = {
  type: 'boolean',
  range: 'true or false',
  fromFile: (value) => (typeof value === 'boolean' ? { value } : undefined),
  fromEnvironment: (text) => {
    const word = text.toLowerCase()
    if (TRUE_WORDS.includes(word)) return { value: true }
    return FALSE_WORDS.includes(word) ? { value: false } : undefined
  },
}

function rangeOf({ min, max, unit }: NumberLimits): string {
  let range = ''
  if (min !== undefined && max !== undefined) range = `${min}..${max}`
  else if (min !== undefined) range = `at least ${min}`
  else if (max !== undefined) range = `at most ${max}`
  return [range, unit].filter(Boolean).join(' ')
}

/** Whole numbers (decimal, no "+", no leading zero) or any finite numbers, within limits. */
export function numberKind(type: 'integer' | 'number', limits: NumberLimits): Kind<number> {
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = limits
  const isKind = type === 'integer' ? Number.isSafeInteger : Number.isFinite
  const pattern = type === 'integer' ? DECIMAL_INTEGER : DECIMAL_NUMBER
  const fromFile = (value: unknown): Parsed<number> => {
    if (typeof value !== 'number' || !isKind(value) || value < min || value > max) return undefined
    return { value: value === 0 ? 0 : value }
  }
  return {
    type,
    range: rangeOf(limits),
    fromFile,
    fromEnvironment: (text) => (pattern.test(text) ? fromFile(Number(text)) : undefined),
  }
}

/** Text, with an optional form. */
export function stringKind({ pattern, isText, says = '' }: StringShape): Kind<string> {
  const isAllowed = (text: string) => (pattern?.test(text) ?? true) && (isText?.(text) ?? true)
  const read = (value: unknown) =>
    typeof value === 'string' && isAllowed(value) ? { value } : undefined
  return { type: 'string', range: says, empty: 'text', fromFile: read, fromEnvironment: read }
}

/** Text that is masked in output. */
export const secretKind: Kind<string> = { ...stringKind({}), type: 'secret string', secret: true }

/** An http or https URL, or the empty text. Slashes at the end are removed. */
export const urlKind: Kind<string> = {
  ...stringKind({
    says: "an http or https URL without credentials and query, or '' for none",
  }),
  fromFile: readUrl,
  fromEnvironment: readUrl,
}

function readUrl(value: unknown): Parsed<string> {
  if (value === '') return { value }
  if (typeof value !== 'string' || !/^https?:\/\/[^\s?#]+$/i.test(value)) return undefined
  const url = URL.parse(value)
  if (!url || url.username || url.password) return undefined
  return { value: value.replace(/\/+$/, '') }
}

/** A fixed set of values, case-sensitive. `nullMeans` is the value for JSON null. */
export function choiceKind<V extends string>(choices: readonly V[], nullMeans?: V): Kind<V> {
  const read = (value: unknown): Parsed<V> => {
    const choice = value === null ? nullMeans : choices.find((one) => one === value)
    return choice === undefined ? undefined : { value: choice }
  }
  return {
    type: 'choice',
    range: `one of ${choices.map((one) => one || "''").join(', ')}`,
    empty: choices.some((one) => one === '') ? 'text' : 'unset',
    fromFile: read,
    fromEnvironment: read,
  }
}

/** Condition for each text of a list: one of `choices`, or a check with its description. */
export type ListItems<V extends string> = {
  choices?: readonly V[]
  isItem?: (text: string) => boolean
  says?: string
}

/**
 * A list of unique texts. An environment variable contains them separated by commas, or as a JSON
 * array.
 */
export function listKind<V extends string>({
  choices,
  isItem = (text) => text !== '',
  says,
}: ListItems<V> = {}): Kind<readonly V[]> {
  const isAllowedItem = (item: unknown): item is V =>
    typeof item === 'string' && (choices ? choices.some((one) => one === item) : isItem(item))
  const fromFile = (value: unknown): Parsed<readonly V[]> => {
    if (!Array.isArray(value) || !value.every(isAllowedItem)) return undefined
    return new Set(value).size === value.length ? { value: Object.freeze([...value]) } : undefined
  }
  const items = choices ? `of ${choices.join(', ')}` : says
  return {
    type: 'list of strings',
    range: items ? `each once, ${items}` : 'each once',
    fromFile,
    fromEnvironment: (text) => {
      if (!text.trimStart().startsWith('[')) {
        return fromFile(text.split(',').map((item) => item.trim()))
      }
      try {
        return fromFile(JSON.parse(text))
      } catch {
        return undefined
      }
    },
  }
}
