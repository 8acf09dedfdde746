import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import type { DnsBackend, StoredRecord } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { ContentHit } from '#backends/contract/search'
import { ADOPTED_IN_PASSING, importNewZones } from '#changes/zone_index/discover'
import { SearchQueryError } from '#dns/search/error'
import { isWithin } from '#dns/names/name_tree'
import { parseSearch } from '#dns/search/query'
import { scoreOf } from '#dns/search/score'
import type { Term } from '#dns/search/terms'
import { invalid } from '#exceptions/refusal'
import { ranked, type SearchHit } from '#zones/search/hit'
import { countPlaces, placeOf, type HitPlace } from '#zones/search/place'
import { searchNotes } from '#zones/search/record_comments'
import { scopeOf } from '#zones/search/scope'
import { searchZones } from '#zones/search/zone_texts'

/** The most hits of a kind that are ranked and counted; what is beyond is told of, not found. */
export const MOST_HITS = 2000

/** A page of what was found. */
export interface Found {
  hits: SearchHit[]
  /** Of all pages. */
  total: number
  /** Whether `total` is all that there is. */
  isComplete: boolean
}

/** A page of what was found in one place, and how much there is in each. */
export interface FoundInPlace extends Found {
  counts: Record<HitPlace, number>
}

/** Which of the zones in which something was found. */
export interface ZoneWindow {
  offset: number
  limit: number
  /** Hits of each zone. */
  most: number
  /** By name. */
  only?: (zoneName: string) => boolean
}

/** A zone in which something was found. */
export interface FoundZone {
  id: number
  /** How much was found in it. */
  total: number
  /** The best of it. */
  hits: SearchHit[]
}

/** Finds zones, records and comments, within what the caller may see. */
@inject()
export class Search {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * The hits of a page, the best first. Throws a 400 `Refusal` for a query that cannot be read.
   *
   * @param offset hits before the page
   * @param limit  hits of the page
   */
  async find(actor: Actor, query: string, offset: number, limit: number): Promise<Found> {
    const { hits, isComplete } = await this.#hits(actor, query)
    const page = await this.#whole(hits.slice(offset, offset + limit))
    return { hits: page, total: hits.length, isComplete }
  }

  /**
   * As `find`, for the hits of one place (null: of all), with how many there are in each.
   */
  async findIn(
    actor: Actor,
    query: string,
    { offset, limit, place }: { offset: number; limit: number; place: HitPlace | null }
  ): Promise<FoundInPlace> {
    const { hits, isComplete } = await this.#hits(actor, query)
    const terms = read(query)
    const places = hits.map((hit) => placeOf(hit, terms))
    const wanted = hits.filter((_, at) => place === null || places[at] === place)
    const page = await this.#whole(wanted.slice(offset, offset + limit))
    return { hits: page, total: wanted.length, isComplete, counts: countPlaces(places) }
  }

  /**
   * The first records whose owner names have a text, for whoever is typing: so few that the look-up ends soon. Nothing for
   * texts of less than three characters, which no index knows. The text is no query: nothing in it means anything else.
   */
  async recordsNamed(actor: Actor, text: string, limit: number): Promise<SearchHit[]> {
    const word = text.trim().toLowerCase()
    if (word.length < 3 || /["\s]/.test(word) || word.length > 255) {
      return []
    }
    const terms = read(`name:"${word}"`)
    const scope = await scopeOf(actor, this.#backend.zoneIndex, terms, limit)
    if (scope.zoneIds?.length === 0) {
      return []
    }
    const { hits } = await this.#backend.searchRecords(scope)
    return ranked(hits.map((hit) => hitOf(hit, 'record', terms)))
  }

  /**
   * The zones of the hits, that of the best hit first, each with its `most` best hits; with `only`, of zones whose names
   * it takes. As bounded as `find`, and throws as that does.
   */
  async zones(
    actor: Actor,
    query: string,
    { offset, limit, most, only = () => true }: ZoneWindow
  ): Promise<{ zones: FoundZone[]; total: number; isComplete: boolean }> {
    const { hits, isComplete } = await this.#hits(actor, query)
    const wanted = hits.filter(({ zoneName }) => only(zoneName))
    const byZone = [...Map.groupBy(wanted, ({ zoneId }) => zoneId)]
    const zones: FoundZone[] = []
    for (const [id, own] of byZone.slice(offset, offset + limit)) {
      zones.push({ id, total: own.length, hits: own.slice(0, most) })
    }
    const whole = await this.#whole(zones.flatMap((zone) => zone.hits))
    let taken = 0
    for (const zone of zones) {
      zone.hits = whole.slice(taken, (taken += zone.hits.length))
    }
    return { zones, total: byZone.length, isComplete }
  }

  /**
   * The records that fit, as they are stored, up to the bound of a kind. Throws a 400 `Refusal` as `find` does.
   *
   * @param accepts whether a content counts, of those that the query finds
   */
  async records(
    actor: Actor,
    query: string,
    accepts: (content: string) => boolean
  ): Promise<{ records: StoredRecord[]; isComplete: boolean }> {
    const terms = read(query)
    await importNewZones(this.#backend, { atMost: ADOPTED_IN_PASSING })
    const scope = await scopeOf(actor, this.#backend.zoneIndex, terms, MOST_HITS)
    if (scope.zoneIds?.length === 0) {
      return { records: [], isComplete: true }
    }
    const { hits, isComplete } = await this.#backend.searchRecords({ ...scope, accepts })
    const stored = await this.#backend.recordsByIds(hits.map(({ id }) => id))
    const records = hits.flatMap(({ id, name }) => {
      const record = stored.get(id)
      return record?.name === name ? [record] : []
    })
    return { records, isComplete }
  }

  /** All hits, the best first, up to the bounds. */
  async #hits(actor: Actor, query: string): Promise<{ hits: SearchHit[]; isComplete: boolean }> {
    const terms = read(query)
    await importNewZones(this.#backend, { atMost: ADOPTED_IN_PASSING })
    const scope = await scopeOf(actor, this.#backend.zoneIndex, terms, MOST_HITS)
    if (scope.zoneIds?.length === 0) {
      return { hits: [], isComplete: true }
    }
    const records = await this.#backend.searchRecords(scope)
    const comments = await this.#backend.searchComments(scope)
    const results = [
      await searchZones(scope, 'name'),
      await searchZones(scope, 'description'),
      await searchNotes(scope),
      { ...records, hits: records.hits.map((hit) => hitOf(hit, 'record', terms)) },
      { ...comments, hits: comments.hits.map((hit) => hitOf(hit, 'comment', terms)) },
    ]
    return {
      hits: ranked(results.flatMap(({ hits }) => hits)),
      isComplete: results.every(({ isComplete }) => isComplete),
    }
  }

  /** The hits with the whole contents of records. One that was deleted meanwhile stays as it was found. */
  async #whole(hits: SearchHit[]): Promise<SearchHit[]> {
    const ids = hits.flatMap(({ recordId }) => (recordId === null ? [] : [Number(recordId)]))
    const records = await this.#backend.recordsByIds(ids)
    return hits.map((hit) => {
      const record = hit.recordId === null ? undefined : records.get(hit.recordId)
      const isSame = record?.name === hit.name && record.type === hit.type
      return record && isSame && isWithin(record.name, hit.zoneName)
        ? { ...hit, text: record.content }
        : hit
    })
  }
}

function hitOf(hit: ContentHit, kind: 'record' | 'comment', terms: readonly Term[]): SearchHit {
  const { id, ...rest } = hit
  const recordId = kind === 'record' ? id : null
  return { ...rest, kind, recordId, score: scoreOf(terms, hit) }
}

function read(query: string): Term[] {
  try {
    return parseSearch(query)
  } catch (error) {
    if (error instanceof SearchQueryError) {
      throw invalid(`Query parameter 'q': ${error.message}`)
    }
    throw error
  }
}
