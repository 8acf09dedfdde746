import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { namesLike, NAMED_KINDS, templateChoices } from '#web/forms/choices'
import { displayName } from '#web/page/display_name'
import { ZoneList } from '#zones/list/zone_list'

/** Kinds of suggestions; `hosts` are names below zones. */
export const SUGGESTION_KINDS = [...NAMED_KINDS, 'zones', 'hosts', 'templates'] as const
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number]

/** A name that a field suggests. */
export interface SuggestedName {
  name: string
  /** Display form of the name, if it differs. */
  shown?: string
  /** Address of the page of the object. */
  href?: string
}

const MAX_SUGGESTIONS = 8
/** Maximum number of labels before the name of a zone, in suggestions of names within zones. */
const MAX_LABELS = 4

/** Suggests names of objects that the actor may view, while a user types. */
@inject()
export class SuggestedNames {
  constructor(private readonly zones: ZoneList) {}

  /** Returns the first names that contain a text of at most 300 characters. */
  async like(actor: Actor, of: SuggestionKind, text: string): Promise<SuggestedName[]> {
    const word = text.trim()
    switch (of) {
      case 'zones':
        return this.#zones(actor, word)
      case 'hosts':
        return this.#hosts(actor, word)
      case 'templates':
        return templatesLike(actor, word)
      default: {
        const names = await namesLike(actor, of, word)
        return names.map((name) => ({ name }))
      }
    }
  }

  async #zones(actor: Actor, word: string): Promise<SuggestedName[]> {
    const zones = await this.zones.suggest(actor, word, MAX_SUGGESTIONS)
    return zones.map(({ id, name }) => ({
      name,
      shown: displayName(name).text,
      href: `/zones/${id}`,
    }))
  }

  /**
   * Splits typed text at each dot into a host name and the start of a zone name; returns matching
   * names within zones.
   */
  async #hosts(actor: Actor, word: string): Promise<SuggestedName[]> {
    const labels = word.split('.').slice(0, MAX_LABELS + 1)
    for (let count = 1; count < labels.length; count++) {
      const zoneName = labels.slice(0, count).join('.')
      const hostStart = word.slice(zoneName.length + 1)
      const zones = await this.zones.suggest(actor, hostStart, MAX_SUGGESTIONS)
      const zonesBelow = zones.filter(({ name }) => name.startsWith(hostStart.toLowerCase()))
      if (zonesBelow.length > 0) {
        return zonesBelow.map(({ name }) => ({ name: `${zoneName}.${name}` }))
      }
    }
    return []
  }
}

async function templatesLike(actor: Actor, word: string): Promise<SuggestedName[]> {
  const templates = await templateChoices(actor)
  const matching = templates.filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()))
  return matching.slice(0, word === '' ? 0 : MAX_SUGGESTIONS).map(({ name }) => ({ name }))
}
