import type { I18n } from '@adonisjs/i18n'
import type { Permission } from '#access/permissions'
import { reachOf, PERMISSION_AREAS, type PermissionScale } from '#web/accounts/rights'
import type { StoredMember } from '#web/forms/edit_conflict'

/** The fields of a permission template in its form. */
interface TemplateState {
  name: string
  description: string
  type: string
  rights: Permission[]
}

/** Compares a stored template with the submitted one, with the labels of the form. */
export function templateMembers(
  i18n: I18n,
  storedState: TemplateState,
  typedState: TemplateState
): StoredMember[] {
  const [held, submitted] = [new Set(storedState.rights), new Set(typedState.rights)]
  const member = (
    label: string,
    ...[storedScale, typedScale]: [stored: string, typed: string]
  ) => ({
    label,
    stored: storedScale,
    typed: typedScale,
  })
  const kind = (type: string) => i18n.t(`templates.is_${type}`)
  const reach = (scale: PermissionScale, rights: ReadonlySet<Permission>) =>
    i18n.t(`rights.reach_${reachOf(scale, rights)}`)
  const has = (right: Permission, rights: ReadonlySet<Permission>) =>
    i18n.t(rights.has(right) ? 'rights.held' : 'rights.not_held')
  return [
    member('templates.name', storedState.name, typedState.name),
    member('templates.description', storedState.description, typedState.description),
    member('templates.kind', kind(storedState.type), kind(typedState.type)),
    ...PERMISSION_AREAS.flatMap(({ scales, single }) => [
      ...scales.map((scale) =>
        member(`rights.scale_${scale.key}`, reach(scale, held), reach(scale, submitted))
      ),
      ...single.map((right) => member(`rights.${right}`, has(right, held), has(right, submitted))),
    ]),
  ]
}
