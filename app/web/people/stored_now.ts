import type { I18n } from '@adonisjs/i18n'
import type { Permission } from '#access/permissions'
import { reachOf, RIGHTS } from '#web/people/rights'
import type { StoredLine } from '#web/stored_now'

/** What a permission template is, as its form has it. */
interface TemplateState {
  name: string
  description: string
  type: string
  rights: Permission[]
}

/** What is stored of a template and differs from what was typed, in the words of the form. */
export function templateStoredNow(
  i18n: I18n,
  stored: TemplateState,
  typed: TemplateState
): StoredLine[] {
  const [held, wished] = [new Set(stored.rights), new Set(typed.rights)]
  const line = (label: string, isSame: boolean, value: string) =>
    isSame ? [] : [{ label: i18n.t(label), value }]
  const description = typed.description.replaceAll('\r\n', '\n')
  return [
    ...line('templates.name', stored.name === typed.name, stored.name),
    ...line('templates.description', stored.description === description, stored.description),
    ...line('templates.kind', stored.type === typed.type, i18n.t(`templates.is_${stored.type}`)),
    ...RIGHTS.flatMap(({ scales, single }) => [
      ...scales.flatMap((scale) => {
        const reach = reachOf(scale, held)
        const isSame = reach === reachOf(scale, wished)
        return line(`rights.scale_${scale.key}`, isSame, i18n.t(`rights.reach_${reach}`))
      }),
      ...single.flatMap((right) => {
        const word = held.has(right) ? 'rights.held' : 'rights.not_held'
        return line(`rights.${right}`, held.has(right) === wished.has(right), i18n.t(word))
      }),
    ]),
  ]
}
