import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import dns from '#config/dns'
import { forbidden } from '#exceptions/refusal'
import {
  groupChoices,
  groupNamed,
  MAX_CHOICES,
  MAX_TICKS,
  userChoices,
  userNamed,
} from '#web/forms/choices'
import type { NewZoneInput } from '#zones/lifecycle/create'

/** The owners of a new zone in a form. */
export interface OwnersForm {
  owner?: string
  /** Ids of ticked groups; with line breaks between them where it is a text. */
  groups?: string | string[]
  /** Name of a group. */
  group?: string
}

/** The fields of owners as a form of new zones shows them. */
export interface OwnersView {
  offersOwner: boolean
  /** Users that the field offers. */
  users: string[]
  owner: string
  /** Name of the fields of ticks: forms that carry files have no arrays. */
  groupsField: 'groups[]' | 'groups'
  /** Groups to tick. */
  ticks: { id: number; name: string; isChosen: boolean }[]
  /** Group names of a field with suggestions; null for check boxes. */
  groups: string[] | null
  group: string
}

/** The fields of owners with the typed values. */
export async function ownersView(
  actor: Actor,
  form: OwnersForm,
  groupsField: OwnersView['groupsField'] = 'groups[]'
): Promise<OwnersView> {
  const mode = dns.zone_ownership_mode
  const offersOwner =
    mode !== 'groups_only' && authorize(actor, { action: 'zone.create_for_others' }).allowed
  const chosen = tickedIn(form)
  const groups = mode === 'users_only' ? [] : await groupChoices(actor, chosen)
  // Ticked groups stay in the list.
  const isLong = groups.length > MAX_TICKS
  return {
    offersOwner,
    users: offersOwner ? await userChoices(actor) : [],
    owner: form.owner ?? '',
    groupsField,
    ticks: groups
      .map((one) => ({ ...one, isChosen: chosen.includes(one.id) }))
      .filter(({ isChosen }) => isChosen || !isLong),
    groups: isLong ? groups.slice(0, MAX_CHOICES).map(({ name }) => name) : null,
    group: form.group ?? '',
  }
}

/**
 * The owners for a zone of that kind; none if the form has none. Throws a `Refusal` for an actor without the right, before
 * anything about named users is shown.
 */
export async function ownersIn(
  actor: Actor,
  kind: string,
  form: OwnersForm
): Promise<Pick<NewZoneInput, 'ownerUserId' | 'groupIds'>> {
  const owner = form.owner?.trim()
  const isOther = owner !== undefined && owner !== '' && owner !== actor.username
  if (isOther) {
    demand(actor, { action: 'zone.create', kind })
    demand(actor, { action: 'zone.create_for_others' })
  }
  const named = form.group?.trim()
  const groups = [...tickedIn(form), ...(named ? [await groupOf(actor, named)] : [])]
  return {
    ownerUserId: isOther ? await userNamed(owner) : undefined,
    groupIds: groups.length > 0 ? groups : undefined,
  }
}

function tickedIn({ groups = [] }: OwnersForm): number[] {
  const ids = typeof groups === 'string' ? groups.split('\n') : groups
  return ids.filter((id) => id.trim() !== '').map(Number)
}

/** An actor who does not manage groups can name own groups only, and learns nothing about others. */
async function groupOf(actor: Actor, word: string): Promise<number> {
  if (authorize(actor, { action: 'group.manage' }).allowed) {
    return groupNamed(word)
  }
  const own = actor.groups.find(({ name }) => name === word)
  if (!own) {
    throw forbidden('You can add only groups of which you are a member as owners of a zone')
  }
  return own.id
}
