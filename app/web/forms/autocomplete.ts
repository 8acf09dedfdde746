import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import { namesLike, NAMED, templateChoices } from '#web/forms/choices'
import { displayName } from '#web/page/display_name'
import { ZoneList } from '#zones/list/zone_list'

/** Kinds of suggestions; `hosts` are names below zones. */
export const SUGGESTED = [...NAMED, 'zones', 'hosts', 'templates'] as const
export type Suggested = (typeof SUGGESTED)[number]

/** A name that a field suggests. */
export interface SuggestedName {
  name: string
  /** As people read it, where that is something else. */
  shown?: string
  /** Its page. */
  href?: string
}

const MOST = 8
/** Maximum number of labels before the name of a zone, in suggestions of names within zones. */
const MAX_LABELS = 4

/** Suggests names while a user types, of objects that the actor may see. */
@inject()
export class SuggestedNames {
  constructor(private readonly zones: ZoneList) {}

  /** The first names that have a text, which is at most 300 characters. */
  async like(actor: Actor, of: Suggested, text: string): Promise<SuggestedName[]> {
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
    const zones = await this.zones.suggest(actor, word, MOST)
    return zones.map(({ id, name }) => ({
      name,
      shown: displayName(name).text,
      href: `/zones/${id}`,
    }))
  }

  /** The typed labels up to a dot, with the zones whose name equals or begins with the rest. */
  async #hosts(actor: Actor, word: string): Promise<SuggestedName[]> {
    const labels = word.split('.').slice(0, MAX_LABELS + 1)
    for (let count = 1; count < labels.length; count++) {
      const own = labels.slice(0, count).join('.')
      const rest = word.slice(own.length + 1)
      const zones = await this.zones.suggest(actor, rest, MOST)
      const below = zones.filter(({ name }) => name.startsWith(rest.toLowerCase()))
      if (below.length > 0) {
        return below.map(({ name }) => ({ name: `${own}.${name}` }))
      }
    }
    return []
  }
}

async function templatesLike(actor: Actor, word: string): Promise<SuggestedName[]> {
  const templates = await templateChoices(actor)
  const found = templates.filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()))
  return found.slice(0, word === '' ? 0 : MOST).map(({ name }) => ({ name }))
}
