import type { I18n } from '@adonisjs/i18n'
import type { FormProblem } from '#web/form_problem'

/** A member that is stored otherwise than a form has it, as `@!storedNow` shows it. */
export interface StoredLine {
  label: string
  value: string
}

/**
 * What is stored otherwise than it was typed, for a form that comes again because somebody else changed its object meanwhile
 * (412): what was typed stays in it, and this stands beside. Nothing for other forms.
 *
 * @param labels keys of the catalogue, in the order of the form
 */
export function storedNow<Field extends string>(
  { i18n }: { i18n: I18n },
  problem: FormProblem | null,
  labels: Readonly<Record<Field, string>>,
  stored: Readonly<Record<NoInfer<Field>, string>>,
  typed: Readonly<Partial<Record<NoInfer<Field>, string>>>
): StoredLine[] {
  if (problem?.status !== 412) {
    return []
  }
  const fields = Object.keys(labels) as Field[]
  return fields
    .filter((field) => unixLines(typed[field] ?? '').trim() !== stored[field].trim())
    .map((field) => ({ label: i18n.t(labels[field]), value: listed(stored[field]) }))
}

function unixLines(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Lines beside one another. */
function listed(text: string): string {
  return text.split('\n').filter(Boolean).join(', ')
}
