import type { HttpContext } from '@adonisjs/core/http'

/** Text fields of users. Possible secrets and generated values are never displayed again. */
export const TEXT_FIELDS: readonly string[] = [
  'text',
  'names',
  'name',
  'content',
  'values',
  'description',
  'comment',
  'reason',
  'masters',
  'zones',
  'patterns',
  'networks',
  'types',
  'custom',
  'hostnames',
  'hostname',
  'url',
  'username',
  'fullname',
  'email',
  'account',
  'ip',
  'nameserver',
  'owner',
  'owner_group',
  'group',
  'add',
  'heir',
  'template_name',
  'zone_q',
]

/** Texts of a refused form, so that the user can copy them from the error page. */
export function typedTexts({ request }: HttpContext): string[] {
  const body = request.body() as Record<string, unknown>
  return TEXT_FIELDS.map((name) => body[name])
    .filter((value) => typeof value === 'string')
    .filter((value) => value.trim() !== '')
}
