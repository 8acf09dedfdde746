import type { TemplateRecord } from '#dns/templates/template_record'
import { parseTtl } from '#dns/rdata/ttl_text'
import { zoneTemplateRecordValidator, zoneTemplateValidator } from '#validators/zone_template'
import { formBody } from '#web/forms/body'

type Translate = (key: string) => string

/** Returns name and description of a form. Throws a 400 `Refusal` with a text of `says`. */
export async function templateInput(
  { name = '', description = '' }: { name?: string; description?: string },
  translate: Translate
): Promise<{ name: string; description: string }> {
  const template = { name: name.trim(), description: description.trim() }
  await formBody(zoneTemplateValidator, template, {
    name: translate('zone_templates.bad_name'),
    description: translate('zone_templates.bad_description'),
  })
  return template
}

/** Fields of the form of a record. */
export type RecordFields = Partial<Record<'name' | 'type' | 'content' | 'ttl' | 'priority', string>>

/**
 * The record of a form; the default TTL is `ttl` (seconds). Throws a 400 `Refusal` for missing values and invalid numbers, and
 * `InvalidDns` for an invalid TTL.
 */
export async function recordInput(
  form: RecordFields,
  ttl: number,
  translate: Translate
): Promise<TemplateRecord> {
  const { name = '', type = '', content = '' } = form
  const seconds = form.ttl?.trim()
  const record = {
    name: name.trim(),
    type,
    content: content.trim() === '' ? '' : content,
    ttl: seconds ? parseTtl(seconds) : ttl,
  }
  const missing = translate('zone_templates.missing_fields')
  const { priority = 0 } = await formBody(
    zoneTemplateRecordValidator,
    { ...record, priority: form.priority?.trim() || '0' },
    {
      ...(record.name === '' ? { name: missing } : {}),
      ...(type === '' ? { type: missing } : {}),
      content: missing,
      priority: translate('zone_templates.bad_priority'),
    }
  )
  return { ...record, priority }
}
