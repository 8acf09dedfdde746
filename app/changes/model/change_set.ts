import type { BackendZone, NewZone, StoredRecord } from '#backends/contract/backend'
import type { Intent, Origin } from '#changes/model/intent'
import type { Owners, ZoneProperties } from '#changes/model/zone_properties'
import type { JournalReader } from '#changes/journal/reader'
import type { TemplateLink, RequestedLink } from '#changes/model/template_link'
import type { Violation } from '#dns/rules/violation'
import type { CommentChange, RecordId, RRset, RRsetKey } from '#dns/types'
import type { RecordComment } from '#dns/zonefile/index'

/** A record as a channel passes it: checked for its shape only, not normalised. */
export interface RecordInput {
  /** Relative to the zone, `@`, or absolute. */
  name: string
  type: string
  content: string
  /**
   * The content is written by a user or client: a target of one label is relative
   * (`short_targets.ts`).
   */
  isTyped?: boolean
  /** Seconds. */
  ttl: number
  priority: number
  disabled: boolean
  /** The new comment. An empty one deletes the comment; an absent one leaves it. */
  comment?: string
}

/** A record of an RRset as a channel passes it. */
export type RRsetItem = Pick<
  RecordInput,
  'content' | 'isTyped' | 'priority' | 'disabled' | 'comment'
>

/** Selects stored records by content, and by priority if it is set. */
export type RemovedItem = Pick<RecordInput, 'content' | 'isTyped'> &
  Partial<Pick<RecordInput, 'priority'>>

/**
 * Precondition of an object at the time of the write: it exists, it does not exist, or it has one
 * of these entity tags (`etags.ts`).
 */
export type Condition = { kind: 'present' } | { kind: 'absent' } | { kind: 'match'; tags: string[] }

/**
 * An action on the records of a zone. `add` adds a record; `edit` and `delete` name a stored
 * record. `set` replaces an RRset, `remove` removes records from it, `clear` deletes it.
 * `expectedComment` is the required current comment, unless the record has the new one already; else
 * `PreconditionFailed`.
 */
export type RecordAction = RecordOperation & {
  /** About the stored record that the action names by its id, else about the RRset. */
  condition?: Condition
  /** The name is a stored one, and not validated. Planning sets it; channels pass none. */
  isStoredName?: boolean
}

type RecordOperation =
  | ({ op: 'add'; record: RecordInput } & TtlOptions)
  | ({
      op: 'edit'
      id: RecordId
      patch: Partial<RecordInput>
      expectedComment?: string
    } & EditPrecondition)
  | { op: 'delete'; id: RecordId }
  | ({ op: 'set'; ttl: number; records: RRsetItem[] } & RRsetKey & TtlOptions & JournalStateOptions)
  | ({ op: 'remove'; records: RemovedItem[] } & RRsetKey)
  | ({ op: 'clear' } & RRsetKey & JournalStateOptions)

interface TtlOptions {
  /** The TTL of an existing RRset has precedence over that of the action. */
  keepTtl?: boolean
}

interface EditPrecondition {
  /**
   * The required state of the record, if other parts of the change depend on it; else
   * `StateChanged`.
   */
  from?: StoredRecord
}

/** State from the journal, for an RRset that is restored. Channels pass none. */
interface JournalStateOptions {
  /** The zone had this RRset before: name, TTL and contents are not validated again. */
  isKnown?: boolean
  /**
   * The required current RRset without its serial; null if it must not exist. Else `StateChanged`.
   */
  from?: RRset | null
  /** Comments on its records; `before` is the required current comment if it is set. */
  comments?: CommentInput[]
}

/** A requested comment on a record. */
export type CommentInput = Omit<CommentChange, 'before'> & Partial<Pick<CommentChange, 'before'>>

/** Creation of a zone. */
export interface ZoneCreation {
  op: 'create'
  zone: NewZone
  description: string | null
  owners: Owners
  /** First records of the zone. */
  records: RecordInput[]
  /** The records are stored records of another zone: they are not validated again. */
  isKnown?: boolean
  /** Comments on the records. */
  comments?: RecordComment[]
  /** Warnings in addition to those of the rules. */
  warnings?: Violation[]
  /** Set for a zone whose records come from a template. */
  template?: TemplateLink
  /** Set for a zone that is restored from the trash. */
  restored?: RestoredZone
}

/** State from which a restored zone continues. */
export interface RestoredZone {
  trashId: number
  uid: string
  /** Number of the journal entry of its deletion. */
  lastEntry: number
  /** Its records before the deletion. */
  rrsets: RRset[]
}

/**
 * Scope that is restored completely: rules that it broke before are reported as warnings, not as
 * errors.
 */
export type RestoredScope = 'name' | 'zone'

/**
 * Computes actions from the journal of a locked zone, which is up to date. May read through this
 * journal only.
 */
export type ActionsFromJournal = (openJournal: {
  zone: BackendZone
  journal: JournalReader
  /** Number of the newest entry. */
  lastEntry: number
}) => Promise<RecordAction[]>

/** Precondition of one kind of metadata. A kind without values does not exist. */
export interface MetadataCondition {
  kind: string
  condition: Condition
}

/** A change of records or properties of a zone. */
export interface ZoneEdit {
  op: 'edit'
  zoneId: number
  properties?: ZoneProperties
  /** The required current properties; else `StateChanged`. */
  propertiesFrom?: ZoneProperties
  /** Actions, or a function that computes them under the lock of the zone. */
  actions: RecordAction[] | ActionsFromJournal
  /** About the zone itself. */
  condition?: Condition
  /** About the metadata of one kind, which the change sets, too. */
  metadataCondition?: MetadataCondition
  /**
   * The serial continues from the stored one, even if the actions write the SOA record.
   * 'unless-newer': a newer serial in the written SOA is used (RFC 1982, 3.2).
   */
  continuesSerial?: boolean | 'unless-newer'
  /**
   * The actions are the complete zone: other RRsets are deleted, except those of the name server.
   */
  isCompleteZone?: boolean
  /** Rights are required for the RRsets that change, not for all that the actions name. */
  checksChangedOnly?: boolean
  /** Comments on records: of the whole zone with `isCompleteZone`, else of the RRsets of the actions. */
  comments?: RecordComment[]
  /** Warnings from before the planning; they are added to the plan. */
  warnings?: Violation[]
  /** The template link after the change; it is stored even if no record changes. */
  template?: RequestedLink
  /** Set if the actions restore a whole name or a whole zone. */
  restores?: RestoredScope
  /** The origin of the change of this zone, if it differs from that of the change set. */
  origin?: Origin
}

/** An edit whose actions are known before the zone is locked. */
export interface ListedEdit extends ZoneEdit {
  actions: RecordAction[]
}

/** Deletion of a zone with all its data. */
export interface ZoneDeletion {
  op: 'delete'
  zoneId: number
  condition?: Condition
}

/** The part of a change set that is about one zone. */
export type ZoneChangeSet = ZoneCreation | ZoneEdit | ZoneDeletion

/**
 * Changes of one zone or several, applied completely or not at all. The only way to write a zone or
 * a record. Each zone occurs once.
 */
export interface ChangeSet {
  intent: Intent
  origin: Origin | null
  zones: ZoneChangeSet[]
  /** It is planned for a change request, and never applied. */
  isFiling?: boolean
  /** It applies an approved change request, and needs no review. */
  isApproved?: boolean
}
