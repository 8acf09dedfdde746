import { inject } from '@adonisjs/core'
import type { Actor } from '#access/actor'
import type { DnsBackend, StoredRecord } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { ContentHit } from '#backends/contract/search'
import { MAX_ZONES_ADDED_PER_REQUEST, importNewZones } from '#changes/zone_index/discover'
import { SearchQueryError } from '#dns/search/split'
import { isWithin } from '#dns/names/name_tree'
import { parseSearch } from '#dns/search/query'
import { scoreOf } from '#dns/search/score'
import type { Term } from '#dns/search/terms'
import { invalid } from '#exceptions/refusal'
import { ranked, type SearchHit } from '#zones/search/hit'
import { countByField, hitFieldOf, type HitField } from '#zones/search/hit_field'
import { findComments } from '#zones/search/record_comments'
import { scopeOf } from '#zones/search/scope'
import { searchZones } from '#zones/search/zone_texts'

/** Maximum number of ranked and counted hits per kind. Answers say if there are more. */
export const MAX_HITS = 2000

/** A page of hits. */
export interface SearchResult {
  hits: SearchHit[]
  /** On all pages. */
  total: number
  /** Whether `total` is exact. */
  isComplete: boolean
}

/** A page of hits in one field, with the number of hits in each field. */
export interface FoundInField extends SearchResult {
  counts: Record<HitField, number>
}

/** Selects zones among those with hits. */
export interface ZoneWindow {
  offset: number
  limit: number
  /** Hits per zone. */
  maxZones: number
  /** Filters zones by name. */
  isIncluded?: (zoneName: string) => boolean
}

/** A zone with hits. */
export interface FoundZone {
  id: number
  /** Number of hits in the zone. */
  total: number
  /** Hits with the highest scores. */
  hits: SearchHit[]
}

/** Searches zones, records and comments that the caller may view. */
@inject()
export class Search {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /**
   * Returns a page of hits, highest score first. Throws a 400 `Refusal` for an invalid query.
   *
   * @param offset hits before the page
   * @param limit hits of the page
   */
  async find(actor: Actor, query: string, offset: number, limit: number): Promise<SearchResult> {
    const { hits, isComplete } = await this.#findHits(actor, query)
    const page = await this.#withoutDeleted(hits.slice(offset, offset + limit))
    return { hits: page, total: hits.length, isComplete }
  }

  /** As `find`, for the hits in one field (null: all), with the number of hits in each field. */
  async findIn(
    actor: Actor,
    query: string,
    { offset, limit, place }: { offset: number; limit: number; place: HitField | null }
  ): Promise<FoundInField> {
    const { hits, isComplete } = await this.#findHits(actor, query)
    const terms = parseTerms(query)
    const hitFields = hits.map((hit) => hitFieldOf(hit, terms))
    const fieldHits = hits.filter((_, index) => place === null || hitFields[index] === place)
    const page = await this.#withoutDeleted(fieldHits.slice(offset, offset + limit))
    return { hits: page, total: fieldHits.length, isComplete, counts: countByField(hitFields) }
  }

  /**
   * Returns the first records whose owner names contain the text, for suggestions. Returns none for
   * texts under three characters, because no index contains them. The text has no query syntax.
   */
  async recordsNamed(actor: Actor, text: string, limit: number): Promise<SearchHit[]> {
    const word = text.trim().toLowerCase()
    if (word.length < 3 || /["\s]/.test(word) || word.length > 255) {
      return []
    }
    const terms = parseTerms(`name:"${word}"`)
    const scope = await scopeOf(actor, this.#backend.zoneIndex, terms, limit)
    if (scope.zoneIds?.length === 0) {
      return []
    }
    const { hits } = await this.#backend.searchRecords(scope)
    return ranked(hits.map((hit) => hitOf(hit, 'record', terms)))
  }

  /**
   * Returns zones with hits, best hit first, each with up to `most` hits; `only` filters by name.
   * Limits and errors as `find`.
   */
  async zones(
    actor: Actor,
    query: string,
    { offset, limit, maxZones, isIncluded = () => true }: ZoneWindow
  ): Promise<{ zones: FoundZone[]; total: number; isComplete: boolean }> {
    const { hits, isComplete } = await this.#findHits(actor, query)
    const includedHits = hits.filter(({ zoneName }) => isIncluded(zoneName))
    const byZone = [...Map.groupBy(includedHits, ({ zoneId }) => zoneId)]
    const zones: FoundZone[] = []
    for (const [id, zoneHits] of byZone.slice(offset, offset + limit)) {
      zones.push({ id, total: zoneHits.length, hits: zoneHits.slice(0, maxZones) })
    }
    const whole = await this.#withoutDeleted(zones.flatMap((zone) => zone.hits))
    let hitCount = 0
    for (const zone of zones) {
      zone.hits = whole.slice(hitCount, (hitCount += zone.hits.length))
    }
    return { zones, total: byZone.length, isComplete }
  }

  /**
   * Returns matching stored records, up to the limit per kind. Throws a 400 `Refusal` as `find`.
   *
   * @param accepts filters the contents that the query finds
   */
  async records(
    actor: Actor,
    query: string,
    accepts: (content: string) => boolean
  ): Promise<{ records: StoredRecord[]; isComplete: boolean }> {
    const terms = parseTerms(query)
    await importNewZones(this.#backend, { maxZones: MAX_ZONES_ADDED_PER_REQUEST })
    const scope = await scopeOf(actor, this.#backend.zoneIndex, terms, MAX_HITS)
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

  /** Returns all hits up to the limits, highest score first. */
  async #findHits(
    actor: Actor,
    query: string
  ): Promise<{ hits: SearchHit[]; isComplete: boolean }> {
    const terms = parseTerms(query)
    await importNewZones(this.#backend, { maxZones: MAX_ZONES_ADDED_PER_REQUEST })
    const scope = await scopeOf(actor, this.#backend.zoneIndex, terms, MAX_HITS)
    if (scope.zoneIds?.length === 0) {
      return { hits: [], isComplete: true }
    }
    const records = await this.#backend.searchRecords(scope)
    const comments = await this.#backend.searchComments(scope)
    const results = [
      await searchZones(scope, 'name'),
      await searchZones(scope, 'description'),
      await findComments(scope),
      { ...records, hits: records.hits.map((hit) => hitOf(hit, 'record', terms)) },
      { ...comments, hits: comments.hits.map((hit) => hitOf(hit, 'comment', terms)) },
    ]
    return {
      hits: ranked(results.flatMap(({ hits }) => hits)),
      isComplete: results.every(({ isComplete }) => isComplete),
    }
  }

  /**
   * Replaces shortened contents by complete ones. Records that were deleted in between stay as
   * found.
   */
  async #withoutDeleted(hits: SearchHit[]): Promise<SearchHit[]> {
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

function parseTerms(query: string): Term[] {
  try {
    return parseSearch(query)
  } catch (error) {
    if (error instanceof SearchQueryError) {
      throw invalid(`Query parameter 'q': ${error.message}`)
    }
    throw error
  }
}
