import type { Kind, Read } from '#settings/setting'

/** Limits of a number, both included; the unit is for people. */
export type NumberLimits = { min?: number; max?: number; unit?: string }

/** The form of a string: a pattern or a check, and the rule in words. */
export type StringShape = { pattern?: RegExp; isText?: (text: string) => boolean; says?: string }

const YES = ['true', '1', 'yes', 'on']
const NO = ['false', '0', 'no', 'off']
const DECIMAL_INTEGER = /^-?(0|[1-9]\d*)$/
const DECIMAL_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/

/** True or false. Variables also accept 1/0, yes/no and on/off, without case. */
export const booleanKind: Kind<boolean> = {
  type: 'boolean',
  range: 'true or false',
  fromFile: (value) => (typeof value === 'boolean' ? { value } : undefined),
  fromEnvironment: (text) => {
    const word = text.toLowerCase()
    if (YES.includes(word)) return { value: true }
    return NO.includes(word) ? { value: false } : undefined
  },
}

function rangeOf({ min, max, unit }: NumberLimits): string {
  let range = ''
  if (min !== undefined && max !== undefined) range = `${min}..${max}`
  else if (min !== undefined) range = `at least ${min}`
  else if (max !== undefined) range = `at most ${max}`
  return [range, unit].filter(Boolean).join(' ')
}

/** Whole numbers (decimal, no sign but minus, no leading zero) or any finite numbers within limits. */
export function numberKind(type: 'integer' | 'number', limits: NumberLimits): Kind<number> {
  const { min = -Number.MAX_VALUE, max = Number.MAX_VALUE } = limits
  const isKind = type === 'integer' ? Number.isSafeInteger : Number.isFinite
  const pattern = type === 'integer' ? DECIMAL_INTEGER : DECIMAL_NUMBER
  const fromFile = (value: unknown): Read<number> => {
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

/** Text, of a certain shape if one is given. */
export function stringKind({ pattern, isText, says = '' }: StringShape): Kind<string> {
  const fits = (text: string) => (pattern?.test(text) ?? true) && (isText?.(text) ?? true)
  const read = (value: unknown) =>
    typeof value === 'string' && fits(value) ? { value } : undefined
  return { type: 'string', range: says, empty: 'text', fromFile: read, fromEnvironment: read }
}

/** Text that is never shown. */
export const secretKind: Kind<string> = { ...stringKind({}), type: 'secret string', secret: true }

/** An http or https URL or the empty text; slashes at the end are dropped. */
export const urlKind: Kind<string> = {
  ...stringKind({ says: "an http or https URL without credentials and query, or '' for none" }),
  fromFile: readUrl,
  fromEnvironment: readUrl,
}

function readUrl(value: unknown): Read<string> {
  if (value === '') return { value }
  if (typeof value !== 'string' || !/^https?:\/\/[^\s?#]+$/i.test(value)) return undefined
  const url = URL.parse(value)
  if (!url || url.username || url.password) return undefined
  return { value: value.replace(/\/+$/, '') }
}

/** One of some words, in exactly this spelling. `nullMeans`: the word that JSON's null stands for. */
export function choiceKind<V extends string>(choices: readonly V[], nullMeans?: V): Kind<V> {
  const read = (value: unknown): Read<V> => {
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

/** What each text of a list must be: one of some words, or what `isItem` lets in and `says` describes. */
export type ListItems<V extends string> = {
  choices?: readonly V[]
  isItem?: (text: string) => boolean
  says?: string
}

/** A list of unique texts. Variables have them separated by commas, or as a JSON array. */
export function listKind<V extends string>({
  choices,
  isItem = (text) => text !== '',
  says,
}: ListItems<V> = {}): Kind<readonly V[]> {
  const fits = (item: unknown): item is V =>
    typeof item === 'string' && (choices ? choices.some((one) => one === item) : isItem(item))
  const fromFile = (value: unknown): Read<readonly V[]> => {
    if (!Array.isArray(value) || !value.every(fits)) return undefined
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
