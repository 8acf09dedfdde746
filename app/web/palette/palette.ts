import { inject } from '@adonisjs/core'
import type { I18n } from '@adonisjs/i18n'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { listUsers } from '#accounts/users/directory'
import { Refusal } from '#exceptions/refusal'
import { hitAddress } from '#web/palette/search_hit_url'
import { accountTabs } from '#web/page/account_tabs'
import { creatablePages, pagesFor, type PageLink } from '#web/page/navigation'
import { displayName, shownOwner } from '#web/page/display_name'
import { zoneDeeds, zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory } from '#zones/directory'
import { Search } from '#zones/search/search'
import { ZoneList } from '#zones/list/zone_list'

/** A target of the palette. */
export interface PaletteItem {
  href: string
  text: string
  /** Distinguishes it from others of the same name. */
  about: string
  /** Whether it is a name or a content of DNS, which reads from left to right everywhere. */
  isDns: boolean
  /** It is a form that the page has, and is sent. */
  isForm?: boolean
}

/** Offers of a kind. */
export interface PaletteGroup {
  label: string
  items: PaletteItem[]
}

/** User and language of a query. */
type PaletteContext = { actor: Actor; i18n: I18n }

const MAX_PER_KIND = 6
const MIN_SEARCH_CHARACTERS = 2

/** Finds destinations: parts of the current zone, zones, records, users and pages. */
@inject()
export class Palette {
  constructor(
    private readonly zones: ZoneList,
    private readonly search: Search,
    private readonly directory: ZoneDirectory
  ) {}

  /**
   * Offers for the typed text, some of each kind. An index finds each, so that the time does not depend on the number of zones
   * and records.
   *
   * @param zoneId the zone of the current page
   */
  async offers(
    asker: PaletteContext,
    text: string,
    zoneId: number | null
  ): Promise<PaletteGroup[]> {
    const word = text.trim().toLowerCase()
    const groups: [label: string, items: PaletteItem[]][] = [
      ['palette.zone', zoneId === null ? [] : await this.#itemsOfZone(asker, zoneId, word)],
      ['palette.zones', await this.#zones(asker, word)],
      ['palette.records', await this.#records(asker, word)],
      ['palette.users', await users(asker, word)],
      ['palette.actions', word === '' ? [] : actions(asker, word)],
      ['palette.pages', pages(asker, word)],
    ]
    return groups
      .filter(([, items]) => items.length > 0)
      .map(([label, items]) => ({ label: asker.i18n.t(label), items }))
  }

  async #itemsOfZone(
    { actor, i18n }: PaletteContext,
    id: number,
    word: string
  ): Promise<PaletteItem[]> {
    try {
      const openedZone = await this.directory.openVisible(actor, id)
      const { name, tabs } = zoneHead(actor, openedZone, 'records')
      return matching(i18n, [...zoneDeeds(actor, openedZone), ...tabs], word, () => name.text)
    } catch (error) {
      // A deleted or hidden zone has no offers.
      if (error instanceof Refusal) return []
      throw error
    }
  }

  async #zones({ actor }: PaletteContext, word: string): Promise<PaletteItem[]> {
    const zones = await this.zones.suggest(actor, word, MAX_PER_KIND)
    return zones.map(({ id, name }) => {
      const { text, ascii } = displayName(name)
      return { href: `/zones/${id}`, text, about: ascii ?? '', isDns: true }
    })
  }

  async #records({ actor }: PaletteContext, word: string): Promise<PaletteItem[]> {
    const hits = await this.search.recordsNamed(actor, word, MAX_PER_KIND)
    return hits.map((hit) => {
      const owner = shownOwner(hit.name, hit.zoneName).text
      const about = `${displayName(hit.zoneName).text} · ${(hit.text ?? '').slice(0, 80)}`
      return { href: hitAddress(hit), text: `${owner} ${hit.type ?? ''}`, about, isDns: true }
    })
  }
}

async function users({ actor }: PaletteContext, word: string): Promise<PaletteItem[]> {
  if (word.length < MIN_SEARCH_CHARACTERS || !authorize(actor, { action: 'user.list' }).allowed) {
    return []
  }
  const page = { number: 1, size: MAX_PER_KIND, offset: 0 }
  const listing = await listUsers(actor, { sort: [], filters: {}, q: word, page })
  return listing.users.map(({ id, username, fullname }) => {
    return { href: `/users/${id}`, text: username, about: fullname, isDns: false }
  })
}

/** Pages that create objects, and signing out. */
function actions({ actor, i18n }: PaletteContext, word: string): PaletteItem[] {
  const making = creatablePages(actor)
  const creationPages = new Map(making.map(({ made, of: { label } }) => [made.href, i18n.t(label)]))
  const signOut = { href: '/logout', label: 'layout.sign_out' }
  return [
    ...matching(
      i18n,
      making.map(({ made }) => made),
      word,
      ({ href }) => creationPages.get(href) ?? ''
    ),
    ...matching(i18n, [signOut], word).map((offer) => ({ ...offer, isForm: true })),
  ]
}

function pages({ actor, i18n }: PaletteContext, word: string): PaletteItem[] {
  const account = accountTabs('preferences')
  const search = { href: '/search', label: 'search.title' }
  const title = i18n.t('account.title')
  return [
    ...matching(i18n, [...pagesFor(actor), search], word),
    ...matching(i18n, account, word, () => title),
  ]
}

/** Pages whose names or keywords contain all typed words. */
function matching(
  i18n: I18n,
  places: PageLink[],
  typed: string,
  about: (place: PageLink) => string = () => ''
): PaletteItem[] {
  const words = typed.split(/\s+/)
  return places
    .map((place) => {
      const { href, label } = place
      return { label, offer: { href, text: i18n.t(label), about: about(place), isDns: false } }
    })
    .filter(({ label, offer }) => {
      const alternativeLabel = i18n.t(alsoKey(label), {}, '')
      const searchedText = `${offer.text} ${alternativeLabel}`.toLowerCase()
      return words.every((word) => searchedText.includes(word))
    })
    .map(({ offer }) => offer)
}

/** Translation key of the synonyms of a page title, for the search. */
export function alsoKey(label: string): string {
  return `palette.also_${label.replace('.', '_')}`
}
