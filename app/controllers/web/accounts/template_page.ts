import { authorize } from '#access/authorize'
import type { Actor } from '#access/actor'
import type { Tab } from '#web/page/account_tabs'
import { denialOf, type Denial } from '#web/accounts/denial'
import type { ZoneTemplate } from '#zones/templates/zone_templates'

const PAGES = ['records', 'zones', 'settings'] as const
export type TemplateTab = (typeof PAGES)[number]

/** Head of every page of a template. */
export interface TemplateHead extends ZoneTemplate {
  isOwn: boolean
  /** Reason why the actor may not change the template; null if permitted. */
  editDenial: Denial | null
  tabs: Tab[]
}

/**
 * Returns the head of the pages of a template, with the members and actions that the actor may use.
 */
export function templateHead(
  actor: Actor,
  template: ZoneTemplate,
  current: TemplateTab
): TemplateHead {
  const path = `/zone-templates/${template.id}`
  const { id, name, description, ownerId, isGlobal } = template
  return {
    ...{ id, name, description, ownerId, isGlobal },
    isOwn: ownerId !== null && ownerId === actor.userId,
    editDenial: denialOf(authorize(actor, { action: 'zone_template.edit', template })),
    tabs: PAGES.map((page) => ({
      href: page === 'records' ? path : `${path}/${page}`,
      label: `zone_templates.tab_${page}`,
      current: page === current,
    })),
  }
}
