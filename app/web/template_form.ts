import type { TemplateRecord } from '#dns/templates/template_record'
import { parseTtl } from '#dns/ttl_text'
import { said } from '#web/said'

const MOST_NAME = 128
const MOST_DESCRIPTION = 1024
/** As the API takes them: characters that print, no blank at an end. */
const NAME = /^[^\p{C}\s](?:[^\p{C}]*[^\p{C}\s])?$/u

type Says = (key: string) => string

/** Name and description of a form. Throws a 400 `Refusal`, of which `says` gives the words. */
export function templateInput(
  { name = '', description = '' }: { name?: string; description?: string },
  says: Says
): { name: string; description: string } {
  const text = name.trim()
  if (text.length > MOST_NAME || !NAME.test(text)) {
    throw said(says('zone_templates.bad_name'))
  }
  if (description.length > MOST_DESCRIPTION) {
    throw said(says('zone_templates.bad_description'))
  }
  return { name: text, description: description.trim() }
}

/** Fields of the form of a record. */
export type RecordFields = Partial<Record<'name' | 'type' | 'content' | 'ttl' | 'priority', string>>

/**
 * The record of a form; without a TTL it gets `ttl` (seconds). Throws a 400 `Refusal` for what is missing or no number,
 * and `InvalidDns` for a TTL that is none.
 */
export function recordInput(form: RecordFields, ttl: number, says: Says): TemplateRecord {
  const { name = '', type = '', content = '' } = form
  const priority = form.priority?.trim() || '0'
  if (name.trim() === '' || type === '' || content.trim() === '') {
    throw said(says('zone_templates.missing_fields'))
  }
  if (!/^\d{1,5}$/.test(priority) || Number(priority) > 65_535) {
    throw said(says('zone_templates.bad_priority'))
  }
  const seconds = form.ttl?.trim()
  return {
    name: name.trim(),
    type,
    content,
    ttl: seconds ? parseTtl(seconds) : ttl,
    priority: Number(priority),
  }
}
