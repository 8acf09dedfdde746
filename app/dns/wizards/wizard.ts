import { InvalidDns } from '#dns/errors'
import { ownerName } from '#dns/names'
import { byteText, parseStrings, printStrings } from '#dns/rdata/character_strings'
import type { RRsetKey } from '#dns/types'

/** What the form of a wizard holds, by the names of its fields; a tick is `on`. */
export type WizardValues = Readonly<Record<string, string>>

/** A field of a wizard. Its label is a text of the catalogue: `wizards.{wizard}_{field}`, where `label` names none. */
export interface WizardField {
  name: string
  kind: 'text' | 'area' | 'choice' | 'check'
  /** What it begins with. */
  value?: string
  /** Values to choose from, each with the text that names it; without one the value itself does. */
  options?: readonly { value: string; text?: string }[]
  /** Whether there is a text that helps, by the name of the label and `_hint`. */
  hint?: true
  label?: string
}

/** A record that is there, or is to be. */
export interface WizardRecord extends RRsetKey {
  content: string
  /** 0..65535; 0 where the type has none. */
  priority: number
}

/** The records that a wizard wants in an RRset, and which of those that are there give way to them. */
export interface WishedSet extends RRsetKey {
  /**
   * What these records are, such as `spf`: at a name there is one set of a role, and records of a draft that an earlier run was
   * to make give way to it. Where each record stands for itself, the role says which it is.
   */
  role: string
  records: { content: string; priority?: number }[]
  /** Whether a record of the RRset is what this wizard makes: it is changed, or goes. Others stay. */
  isOwn: (record: WizardRecord) => boolean
}

/** A text of the catalogue, without `wizards.` in front. */
export interface WizardText {
  text: string
  values?: Record<string, string | number>
}

/** Why a field cannot be so: in the words of the catalogue, or of the rules of DNS, which speak English. */
export type WizardProblem = { field: string } & (WizardText | { message: string })

/** What came of a form. Without problems its records can be. */
export interface WizardOutcome {
  wished: WishedSet[]
  problems: WizardProblem[]
  /** What is to be known before it is applied. */
  notes: WizardText[]
}

/** Where a wizard works. */
export interface WizardContext {
  apex: string
  /** Records of the RRsets that it reads, those that are disabled left out. */
  existing: readonly WizardRecord[]
  /** Milliseconds since 1970. */
  now: number
}

/** Makes the records of a service from a form. Knows nothing but what it is given, and writes nothing. */
export interface Wizard {
  kind: string
  fields: readonly WizardField[]
  /** The RRsets that it loads and changes. Throws `InvalidDns` for a name that is none. */
  reads: (values: WizardValues, apex: string) => RRsetKey[]
  /** What the form begins with, from what is there. */
  load: (values: WizardValues, context: WizardContext) => WizardValues
  make: (values: WizardValues, context: WizardContext) => WizardOutcome
  /** Whether what was typed into a field may be a secret, which is shown nowhere again. Absent where none can be. */
  withholds?: (field: string, value: string) => boolean
}

/** The field of the owner name that most wizards have. */
export const NAME_FIELD: WizardField = {
  name: 'name',
  kind: 'text',
  value: '@',
  hint: true,
  label: 'name',
}

const STRING_BYTES = 255

/** The content of a TXT record: ASCII text, in strings of 255 bytes (RFC 1035, 3.3). */
export function textContent(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const strings: Uint8Array[] = []
  for (let at = 0; at < Math.max(bytes.length, 1); at += STRING_BYTES) {
    strings.push(bytes.subarray(at, at + STRING_BYTES))
  }
  return printStrings(strings)
}

/** The text of a TXT content, its strings joined; '' for a content that is none. */
export function textOf(content: string): string {
  try {
    return parseStrings(content).map(byteText).join('')
  } catch {
    return ''
  }
}

/** What stands in a field, without blanks around it. */
export function valueOf(values: WizardValues, name: string): string {
  return (values[name] ?? '').trim()
}

/** The lines of a field, each once; commas and semicolons end a line where the field says so. */
export function linesOf(values: WizardValues, name: string, ends = /[\n\s,;]+/): string[] {
  const lines = (values[name] ?? '').split(ends).map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** Labels in front of the owner name of the form, absolute. Throws `InvalidDns`. */
export function nameBelow(labels: string, values: WizardValues, apex: string): string {
  const base = ownerName(valueOf(values, 'name') || '@', apex)
  return labels === '' ? base : ownerName(`${labels}.${base}.`, apex)
}

/** Gathers problems of fields, also those that the rules of DNS throw. */
export class Problems {
  readonly all: WizardProblem[] = []

  add(field: string, text: string, values?: Record<string, string | number>): void {
    this.all.push(values ? { field, text, values } : { field, text })
  }

  /** What a step gives; undefined where `InvalidDns` is thrown, which is told of the field. */
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
