import { inject } from '@adonisjs/core'
import type { I18n } from '@adonisjs/i18n'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { listUsers } from '#accounts/users/directory'
import { Refusal } from '#exceptions/refusal'
import { hitAddress } from '#web/hit_address'
import { pagesFor } from '#web/navigation'
import { shownName, shownOwner } from '#web/shown_name'
import { zoneHead } from '#web/zone_tabs'
import { ZoneDirectory } from '#zones/directory'
import { Search } from '#zones/search/search'
import { ZoneList } from '#zones/zone_list'

/** Something to go to. */
export interface Offer {
  href: string
  text: string
  /** What tells it from others of that name. */
  about: string
  /** Whether it is a name or a content of DNS, which reads from left to right everywhere. */
  isDns: boolean
}

/** Offers of a kind. */
export interface OfferGroup {
  label: string
  items: Offer[]
}

/** For whom, and in what language. */
type Asker = { actor: Actor; i18n: I18n }

const MOST_OF_A_KIND = 6
const SHORTEST = 2

/** What somebody may want to go to: parts of the zone that they are at, zones, records, users and pages. */
@inject()
export class Palette {
  constructor(
    private readonly zones: ZoneList,
    private readonly search: Search,
    private readonly directory: ZoneDirectory
  ) {}

  /**
   * Offers for what was typed, some of each kind. Each is found by an index, so that the answer comes while one types,
   * however many zones and records there are.
   *
   * @param zoneId the zone that the page is about
   */
  async offers(asker: Asker, text: string, zoneId: number | null): Promise<OfferGroup[]> {
    const word = text.trim().toLowerCase()
    const groups: [label: string, items: Offer[]][] = [
      ['palette.zone', zoneId === null ? [] : await this.#ofZone(asker, zoneId, word)],
      ['palette.zones', await this.#zones(asker, word)],
      ['palette.records', await this.#records(asker, word)],
      ['palette.users', await users(asker, word)],
      ['palette.pages', pages(asker, word)],
    ]
    return groups
      .filter(([, items]) => items.length > 0)
      .map(([label, items]) => ({ label: asker.i18n.t(label), items }))
  }

  async #ofZone({ actor, i18n }: Asker, id: number, word: string): Promise<Offer[]> {
    try {
      const open = await this.directory.openVisible(actor, id)
      const { name, tabs, mayEdit } = zoneHead(actor, open, 'records')
      const path = `/zones/${id}`
      const writes = mayEdit
        ? [
            { href: `${path}/records/new`, label: 'zone.add' },
            { href: `${path}/wizards`, label: 'wizards.title' },
          ]
        : []
      const entries = [...writes, ...tabs].map(({ href, label }) => {
        return { href, text: i18n.t(label), about: name.text, isDns: false }
      })
      return matching(entries, word)
    } catch (error) {
      // A zone that is gone, or hidden, has nothing to offer.
      if (error instanceof Refusal) return []
      throw error
    }
  }

  async #zones({ actor }: Asker, word: string): Promise<Offer[]> {
    const zones = await this.zones.suggest(actor, word, MOST_OF_A_KIND)
    return zones.map(({ id, name }) => {
      const { text, ascii } = shownName(name)
      return { href: `/zones/${id}`, text, about: ascii ?? '', isDns: true }
    })
  }

  async #records({ actor }: Asker, word: string): Promise<Offer[]> {
    const hits = await this.search.recordsNamed(actor, word, MOST_OF_A_KIND)
    return hits.map((hit) => {
      const owner = shownOwner(hit.name, hit.zoneName).text
      const about = `${shownName(hit.zoneName).text} · ${(hit.text ?? '').slice(0, 80)}`
      return { href: hitAddress(hit), text: `${owner} ${hit.type ?? ''}`, about, isDns: true }
    })
  }
}

async function users({ actor }: Asker, word: string): Promise<Offer[]> {
  if (word.length < SHORTEST || !authorize(actor, { action: 'user.list' }).allowed) {
    return []
  }
  const page = { number: 1, size: MOST_OF_A_KIND, offset: 0 }
  const listing = await listUsers(actor, { sort: [], filters: {}, q: word, page })
  return listing.users.map(({ id, username, fullname }) => {
    return { href: `/users/${id}`, text: username, about: fullname, isDns: false }
  })
}

function pages({ actor, i18n }: Asker, word: string): Offer[] {
  const own = [
    { href: '/search', label: 'search.title' },
    { href: '/account/preferences', label: 'layout.your_account' },
  ]
  const mayCreate = ['MASTER', 'NATIVE', 'SLAVE'].some(
    (kind) => authorize(actor, { action: 'zone.create', kind }).allowed
  )
  const made = mayCreate ? [{ href: '/zones/new', label: 'zones.new' }] : []
  const all = [...pagesFor(actor), ...made, ...own].map(({ href, label }) => {
    return { href, text: i18n.t(label), about: '', isDns: false }
  })
  return matching(all, word)
}

function matching(offers: Offer[], word: string): Offer[] {
  return offers.filter(({ text }) => text.toLowerCase().includes(word))
}
