import { createHash } from 'node:crypto'
import type { TemplateRecord } from '#dns/templates/template_record'
import { Refusal } from '#exceptions/refusal'
import type { ZoneTemplate } from '#zones/templates/zone_templates'

/*
 * What a template, or a record of it, is at a moment, as 32 hex digits: whoever changes it by a form says by this what
 * they saw.
 */

/** Of what a template is beside its records. */
export function templateTag({ name, description, ownerId, isGlobal }: ZoneTemplate): string {
  return tagOf([name, description, ownerId, isGlobal])
}

/** Of a record as it is stored. */
export function templateRecordTag({ name, type, content, ttl, priority }: TemplateRecord): string {
  return tagOf([name, type, content, ttl, priority])
}

/** Throws a 412 `Refusal` where something is not what it was when it was seen; undefined goes on whatever it is. */
export function demandTag(current: string, seen: string | undefined): void {
  if (seen !== undefined && seen !== current) {
    throw new Refusal(412, 'It was changed in the meantime')
  }
}

function tagOf(members: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(members)).digest('hex').slice(0, 32)
}
