import type { Actor } from '#access/actor'
import { authorize, type ZoneAction } from '#access/authorize'
import { isReplica } from '#backends/contract/zone_kinds'
import type { OpenZone } from '#zones/directory'
import { denialOf, type Denial } from '#web/accounts/denial'
import { displayName, type DisplayName } from '#web/page/display_name'
import type { Tab } from '#web/page/account_tabs'

/** The parts of a zone that have a tab. */
export type ZoneTab =
  'records' | 'text' | 'history' | 'transfer' | 'dnssec' | 'metadata' | 'settings'

/** The head of every page of a zone. */
export interface ZoneHead {
  id: number
  name: DisplayName
  kind: string
  tabs: Tab[]
  /** Whether its records may be written, at least by asking for it. */
  mayEdit: boolean
  /** Whether the records come from a primary, so that they cannot be edited here. */
  isReplica: boolean
  /** Reason why the records are read-only; null if they are not. */
  editDenial: Denial | null
  /** Whether the user can request a review, also of changes that need none. */
  mayAsk: boolean
}

/** A page with an action on a zone, in addition to its tabs. */
export interface ZoneDeed {
  href: string
  /** Key of the catalogue. */
  label: string
}

/** Actions on a zone that the actor may do on separate pages. */
export function zoneDeeds(actor: Actor, { zone, facts }: OpenZone): ZoneDeed[] {
  const actions: (ZoneDeed & { needs: ZoneAction[] })[] = [
    { href: '/records/new', label: 'zone.add', needs: ['zone.edit_records'] },
    { href: '/wizards', label: 'wizards.title', needs: ['zone.edit_records'] },
    { href: '/export', label: 'transfer.export', needs: ['zone.view'] },
    { href: '/clone', label: 'zone.clone_title', needs: ['zone.view'] },
    { href: '/ptr', label: 'ptr.title', needs: ['zone.view'] },
    { href: '/at', label: 'history.at_title', needs: ['zone.view_history', 'zone.view'] },
    { href: '/delete', label: 'zone.zone_deletion_title', needs: ['zone.delete'] },
  ]
  return actions
    .filter(({ needs }) =>
      needs.every((action) => authorize(actor, { action, zone: facts }).allowed)
    )
    .map(({ href, label }) => ({ href: `/zones/${zone.id}${href}`, label }))
}

/** The head of the pages of a zone, with the parts that the actor may see and do. */
export function zoneHead(actor: Actor, { zone, facts }: OpenZone, current: ZoneTab): ZoneHead {
  const path = `/zones/${zone.id}`
  const isAllowed = (action: ZoneAction) => authorize(actor, { action, zone: facts }).allowed
  const history = { href: `${path}/history`, label: 'zone.history', current: current === 'history' }
  const transfer = {
    href: `${path}/import`,
    label: 'transfer.tab',
    current: current === 'transfer',
  }
  const dnssec = { href: `${path}/dnssec`, label: 'dnssec.tab', current: current === 'dnssec' }
  const metadata = {
    href: `${path}/metadata`,
    label: 'metadata.tab',
    current: current === 'metadata',
  }
  return {
    id: zone.id,
    name: displayName(zone.name),
    kind: zone.kind,
    tabs: [
      { href: path, label: 'zone.records', current: current === 'records' },
      ...(isAllowed('zone.view')
        ? [{ href: `${path}/text`, label: 'transfer.text_tab', current: current === 'text' }]
        : []),
      ...(isAllowed('zone.view_history') ? [history] : []),
      ...(isAllowed('zone.view') ? [transfer, dnssec] : []),
      ...(isAllowed('zone.view_metadata') ? [metadata] : []),
      {
        href: `${path}/settings`,
        label: 'zone.zone_settings_tab',
        current: current === 'settings',
      },
    ],
    mayEdit: isAllowed('zone.edit_records'),
    isReplica: isReplica(zone),
    editDenial: denialOf(authorize(actor, { action: 'zone.edit_records', zone: facts })),
    mayAsk: authorize(actor, { action: 'zone.request_changes', zone: facts }).allowed,
  }
}
