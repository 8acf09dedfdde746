import { InvalidDns } from '#dns/errors'
import { ownerName } from '#dns/names'
import { byteText, parseStrings, printStrings } from '#dns/rdata/character_strings'
import type { RRsetKey } from '#dns/types'

/** Values of a form by field name; a checked box is `on`. */
export type WizardValues = Readonly<Record<string, string>>

/**
 * A field of a form. Its label has the translation key `wizards.{wizard}_{field}`, unless `label`
 * names another.
 */
export interface WizardField {
  name: string
  kind: 'text' | 'area' | 'choice' | 'check'
  /** Initial value. */
  value?: string
  /** Options with their translation keys; without a key the value is displayed. */
  options?: readonly { value: string; text?: string }[]
  /** Whether a hint exists, under the label's key with `_hint`. */
  hint?: true
  label?: string
}

/** An existing or a new record. */
export interface WizardRecord extends RRsetKey {
  content: string
  /** 0..65535; 0 if the type has no priority. */
  priority: number
}

/** Wanted records of an RRset, and the existing records that they replace. */
export interface RequestedSet extends RRsetKey {
  /**
   * Role of these records, such as `spf`. A name has one set per role; it replaces records of an earlier draft. Records that
   * do not replace each other have separate roles.
   */
  role: string
  records: { content: string; priority?: number }[]
  /** Returns whether the wizard replaces or deletes an existing record. Other records stay. */
  isOwn: (record: WizardRecord) => boolean
}

/** A translation key without `wizards.` in front. */
export interface WizardText {
  text: string
  values?: Record<string, string | number>
}

/** Error of a field: a translation key, or a message of the DNS rules, which is English. */
export type WizardProblem = { field: string } & (WizardText | { message: string })

/** Result of a form. Without problems, its records can be applied. */
export interface WizardOutcome {
  requested: RequestedSet[]
  problems: WizardProblem[]
  /** Hints to show before the records are applied. */
  hints: WizardText[]
}

/** Input of a wizard besides the form. */
export interface WizardContext {
  apex: string
  /** Enabled records of the RRsets that the wizard reads. */
  existing: readonly WizardRecord[]
  /** Milliseconds since 1970. */
  now: number
}

/** Creates the records of a service from a form, as a pure function. */
export interface Wizard {
  kind: string
  fields: readonly WizardField[]
  /** Returns the RRsets that it loads and changes. Throws `InvalidDns` for an invalid name. */
  reads: (values: WizardValues, apex: string) => RRsetKey[]
  /** Returns the initial values of the form, from existing records. */
  load: (values: WizardValues, context: WizardContext) => WizardValues
  make: (values: WizardValues, context: WizardContext) => WizardOutcome
  /**
   * Returns whether a value may be a secret, which must not be displayed again. Absent if no field
   * can contain one.
   */
  withholds?: (field: string, value: string) => boolean
}

/** The owner name, a field of most wizards. */
export const NAME_FIELD: WizardField = {
  name: 'name',
  kind: 'text',
  value: '@',
  hint: true,
  label: 'name',
}

const STRING_BYTES = 255

/** Returns the content of a TXT record: ASCII text, in strings of 255 bytes (RFC 1035, 3.3). */
export function textContent(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const strings: Uint8Array[] = []
  for (let position = 0; position < Math.max(bytes.length, 1); position += STRING_BYTES) {
    strings.push(bytes.subarray(position, position + STRING_BYTES))
  }
  return printStrings(strings)
}

/** Returns the joined strings of a TXT content; '' for an invalid content. */
export function textOf(content: string): string {
  try {
    return parseStrings(content).map(byteText).join('')
  } catch {
    return ''
  }
}

/** Returns the trimmed value of a field. */
export function valueOf(values: WizardValues, name: string): string {
  return (values[name] ?? '').trim()
}

/**
 * Returns the lines of a field without duplicates. By default, commas and semicolons end a line
 * too.
 */
export function linesOf(values: WizardValues, name: string, separators = /[\n\s,;]+/): string[] {
  const lines = (values[name] ?? '').split(separators).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** Returns the owner name of the form with labels in front, absolute. Throws `InvalidDns`. */
export function nameBelow(labels: string, values: WizardValues, apex: string): string {
  const base = ownerName(valueOf(values, 'name') || '@', apex)
  return labels === '' ? base : ownerName(`${labels}.${base}.`, apex)
}

/** Collects problems of fields, including errors of the DNS rules. */
export class Problems {
  readonly all: WizardProblem[] = []

  add(field: string, text: string, values?: Record<string, string | number>): void {
    this.all.push(values ? { field, text, values } : { field, text })
  }

  /**
   * Returns the result of a step; records `InvalidDns` as a problem of the field and returns
   * undefined.
   */
  try<T>(field: string, step: () => T): T | undefined {
    try {
      return step()
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      this.all.push({ field, message: error.message })
      return undefined
    }
  }
}
