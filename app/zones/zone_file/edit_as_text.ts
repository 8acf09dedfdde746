import { inject } from '@adonisjs/core'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { BackendManager } from '#backends/manager'
import type { AppliedZone } from '#changes/model/zone_plan'
import type { RecordAction } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { commentsOf, loadComments } from '#changes/comments/comment_store'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { rrsetTag } from '#changes/model/etags'
import { mapYielding, yieldIfDue, joinYielding } from '#database/event_loop'
import {
  gatherZoneFile,
  writeZoneFile,
  type RecordComment,
  type ZoneFileContents,
} from '#dns/zonefile/index'
import type { RRset, RRsetChange, RRsetKey } from '#dns/types'
import { Refusal, invalid } from '#exceptions/refusal'
import type { OpenZone } from '#zones/directory'
import { byKey, isAmong, keyOf, mergedText, rebased } from '#zones/zone_file/merge_text'
import { reduceContents, type ReducedContents } from '#zones/zone_file/stored_lines'
import { errorByLine } from '#zones/zone_file/import_error'
import { isOfServer, importActions } from '#zones/zone_file/import_actions'

/** Maximum number of records, and of characters, of a zone that is edited as text. */
export const MAX_TEXT_RECORDS = 10_000
export const MAX_TEXT_CHARACTERS = 1_048_576

/** An edited zone text, with the text that it started from. */
export interface EditedText {
  base: string
  text: string
}

/** The edited text conflicts with changes of other users. Nothing was changed. */
export class ZoneChangedMeanwhile extends Error {
  constructor(
    /** From the current to the wanted state. */
    readonly conflicts: RRsetChange[],
    /** Current text of the zone, the base of the next edit. */
    readonly now: string,
    /** Current text with those changes of the user that have no conflict. */
    readonly textWithoutConflicts: string,
    /** Current text with all changes of the user. */
    readonly textWithAllEdits: string
  ) {
    super('The zone was changed in the meantime')
  }
}

/** Parsed edit of a text. */
interface TextEdit {
  actions: RecordAction[]
  /** RRsets of the actions, in their order. */
  sets: RRsetKey[]
  contents: ReducedContents
  warnings: ReturnType<typeof importActions>['warnings']
}

/** Edits zones as zone-file text. */
@inject()
export class ZoneTexts {
  readonly #backend: DnsBackend

  constructor(manager: BackendManager) {
    this.#backend = manager.use()
  }

  /** Returns the zone as text; null if it is too large. */
  async read({ zone }: OpenZone): Promise<string | null> {
    const page = { number: 1, size: 1, offset: 0 }
    const query = { sort: [], filters: {}, q: null, page }
    const { total } = await this.#backend.listRecords(zone, query)
    if ((total ?? 0) > MAX_TEXT_RECORDS) {
      return null
    }
    const text = await this.#textOf({ zone })
    return text.length > MAX_TEXT_CHARACTERS ? null : text
  }

  /**
   * Applies the differences between base and text; RRsets and comments that are equal in both stay
   * as they are now. SOA fields and serials are handled as in an import. Throws `ZoneFileRefused`
   * with all errors, and `ZoneChangedMeanwhile` if others changed the same RRsets or comments.
   */
  async change(
    intent: Intent,
    openedZone: OpenZone,
    edited: EditedText
  ): Promise<Outcome<AppliedZone>> {
    const { zone } = openedZone
    const edit = await this.#textEdit(zone, edited)
    const comments = await this.#commentsFor(openedZone, edited, edit)
    const { actions, sets, contents, warnings } = edit
    try {
      const outcome = await submitChangeSet(this.#backend, {
        intent,
        origin: { kind: 'import', id: 'text' },
        zones: [
          {
            op: 'edit',
            zoneId: zone.id,
            actions,
            continuesSerial: 'unless-newer',
            checksChangedOnly: true,
            comments,
            warnings,
          },
        ],
      })
      return await mapOutcome(outcome, ([applied]) => applied)
    } catch (error) {
      throw errorByLine(error, sets, contents.records)
    }
  }

  async #textOf({ zone }: Pick<OpenZone, 'zone'>): Promise<string> {
    const rrsets = await this.#backend.allRRsets(zone)
    const comments = commentsOf(zone.name, rrsets, await loadComments(zone))
    return joinYielding(writeZoneFile({ apex: zone.name, rrsets, comments }))
  }

  /**
   * Returns the comments of the changed RRsets. Throws `ZoneChangedMeanwhile` if a current RRset or comment
   * differs from the base and from the wanted one.
   */
  async #commentsFor(
    openedZone: OpenZone,
    { base: baseContents, text }: EditedText,
    { sets, contents }: TextEdit
  ): Promise<RecordComment[]> {
    const origin = openedZone.zone.name
    const nowText = await this.#textOf(openedZone)
    if (nowText === baseContents) {
      return contents.comments.filter(isAmong(sets))
    }
    const [was, editedContents, now] = [
      await this.#parse(openedZone.zone, baseContents),
      await this.#parse(openedZone.zone, text),
      await this.#parse(openedZone.zone, nowText),
    ]
    const { conflicts, comments } = mergedText(origin, sets, {
      base: was,
      edited: editedContents,
      current: now,
    })
    if (conflicts.length > 0) {
      const isContested = isAmong(conflicts)
      const uncontested = sets.filter((set) => !isContested(set))
      const merged = { rrsets: editedContents.rrsets, comments }
      throw new ZoneChangedMeanwhile(
        conflicts,
        nowText,
        rebased(origin, now, merged, uncontested),
        rebased(origin, now, merged, sets)
      )
    }
    return comments
  }

  /**
   * Returns the actions for a text. Throws `ZoneFileRefused`, and a `Refusal` for an invalid base.
   */
  async #textEdit(zone: BackendZone, { base, text }: EditedText): Promise<TextEdit> {
    if (text.length > MAX_TEXT_CHARACTERS) {
      const message = `A zone can be edited as text up to ${MAX_TEXT_CHARACTERS} characters; this zone has ${text.length}. Import it as a file`
      throw new Refusal(413, message)
    }
    const before = await this.#parse(zone, base)
    if (base.length > MAX_TEXT_CHARACTERS || before.problems.some(isError)) {
      throw invalid('The original text of the zone can no longer be read: reopen the zone as text')
    }
    const contents = await this.#parse(zone, text)
    const fileActions = importActions(zone.name, contents, 'replace')
    const known = byKey(before.rrsets)
    const [oldComments, newComments] = [commentsByKey(before), commentsByKey(contents)]
    const isChanged = (set: RRset) => {
      const key = keyOf(set)
      const old = known.get(key)
      return (
        !old || rrsetTag(old) !== rrsetTag(set) || oldComments.get(key) !== newComments.get(key)
      )
    }
    const textKeys = new Set(contents.rrsets.map(keyOf))
    const removedSets = before.rrsets.filter(
      (set) => !textKeys.has(keyOf(set)) && !isOfServer(set.type)
    )
    const changedSets = await mapYielding(fileActions.rrsets, isChanged)
    return {
      actions: [
        ...fileActions.actions.filter((_, index) => changedSets[index]),
        ...removedSets.map(({ name, type }) => ({
          op: 'clear' as const,
          name: `${name}.`,
          type,
          isKnown: true,
        })),
      ],
      sets: [...fileActions.rrsets.filter((_, index) => changedSets[index]), ...removedSets],
      contents,
      warnings: fileActions.warnings,
    }
  }

  /** Parses a text with pauses for other requests. Stored records are not validated again. */
  async #parse(zone: BackendZone, text: string): Promise<ReducedContents> {
    return reduceContents(
      this.#backend,
      zone,
      await gatherZoneFile([text], { origin: zone.name, yieldIfDue })
    )
  }
}

function commentsByKey({ comments }: ZoneFileContents): Map<string, string> {
  const groups = Map.groupBy(comments, keyOf)
  return new Map([...groups].map(([key, group]) => [key, JSON.stringify(group)]))
}

function isError({ severity }: { severity: string }): boolean {
  return severity === 'error'
}
