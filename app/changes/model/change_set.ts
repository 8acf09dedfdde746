import type { BackendZone, NewZone, StoredRecord } from '#backends/contract/backend'
import type { Intent, Origin } from '#changes/model/intent'
import type { Owners, ZoneProperties } from '#changes/model/zone_properties'
import type { JournalReader } from '#changes/journal/reader'
import type { TemplateLink, WantedLink } from '#changes/model/template_link'
import type { Violation } from '#dns/rules/violation'
import type { NoteChange, RecordId, RRset, RRsetKey } from '#dns/types'
import type { RecordComment } from '#dns/zonefile/index'

/** A record as a channel hands it over: not yet normalised, checked only for shape. */
export interface RecordInput {
  /** Relative to the zone, `@`, or absolute. */
  name: string
  type: string
  content: string
  /** The content is as people and clients write it: a target of one label is relative (`short_targets.ts`). */
  isTyped?: boolean
  /** Seconds. */
  ttl: number
  priority: number
  disabled: boolean
  /** What is to be kept about it; an empty one ends that, an absent one leaves it. */
  comment?: string
}

/** A record of an RRset as a channel hands it over. */
export type RRsetItem = Pick<
  RecordInput,
  'content' | 'isTyped' | 'priority' | 'disabled' | 'comment'
>

/** Names stored records by their content, and by their priority where it is given. */
export type RemovedItem = Pick<RecordInput, 'content' | 'isTyped'> &
  Partial<Pick<RecordInput, 'priority'>>

/**
 * What must hold of an object at the instant of the change: that it is there, that it is not, or that it
 * still has one of these tags (`tags.ts`).
 */
export type Condition = { kind: 'present' } | { kind: 'absent' } | { kind: 'match'; tags: string[] }

/**
 * One wish about the records of a zone. `add` puts a record into its RRset; `edit` and `delete` name a
 * stored record; `set` makes the RRset exactly these records, `remove` takes records out of it, and
 * `clear` ends it. `commentWas` is the comment that the record must still have, unless it has
 * the wanted one already; else the change ends as a `PreconditionFailed`.
 */
export type RecordAction = RecordWish & {
  /** About the stored record that the action names by its id, else about the RRset. */
  condition?: Condition
}

type RecordWish =
  | ({ op: 'add'; record: RecordInput } & TtlTerms)
  | ({ op: 'edit'; id: RecordId; patch: Partial<RecordInput>; commentWas?: string } & EditTerms)
  | { op: 'delete'; id: RecordId }
  | ({ op: 'set'; ttl: number; records: RRsetItem[] } & RRsetKey & TtlTerms & KnownTerms)
  | ({ op: 'remove'; records: RemovedItem[] } & RRsetKey)
  | ({ op: 'clear' } & RRsetKey & KnownTerms)

interface TtlTerms {
  /** The TTL of the RRset that is there, if it is, counts more than the wish's. */
  keepTtl?: boolean
}

interface EditTerms {
  /** What the record must still be, where more is wished that depends on it. Else the change ends as `StateChanged`. */
  from?: StoredRecord
}

/** What the journal knows of an RRset that an action brings back. Channels hand none over. */
interface KnownTerms {
  /** The zone held it once, as it stands here: name, TTL and contents are not judged again. */
  isKnown?: boolean
  /** What it must still be, its serial aside; null is "not there". Else the change ends as `StateChanged`. */
  from?: RRset | null
  /** What was written about its records; where `before` is given, that must be there still, too. */
  notes?: NoteWish[]
}

/** What is to be written about a record. */
export type NoteWish = Omit<NoteChange, 'before'> & Partial<Pick<NoteChange, 'before'>>

/** A zone that is to be made. */
export interface ZoneCreation {
  op: 'create'
  zone: NewZone
  description: string | null
  owners: Owners
  /** First records of the zone. */
  records: RecordInput[]
  /** The records are stored ones of another zone: they are taken as they stand. */
  isKnown?: boolean
  /** What people wrote about them. */
  notes?: RecordComment[]
  /** What is to be told beside what the records break. */
  warnings?: Violation[]
  /** Set for a zone whose records come from a template. */
  template?: TemplateLink
  /** Set for a zone that is brought back from the trash. */
  revival?: Revival
}

/** Where a zone that is brought back goes on. */
export interface Revival {
  trashId: number
  uid: string
  /** Number of the entry of its deletion. */
  lastEntry: number
  /** Its records, as they were. */
  rrsets: RRset[]
}

/** What is brought back whole: rules that it broke by itself are told as warnings and stop nobody. */
export type RestoredScope = 'name' | 'zone'

/**
 * Works out actions from the journal of a zone that is locked, and tells of all that happened to it. May
 * read through this journal only.
 */
export type ActionsFromJournal = (book: {
  zone: BackendZone
  journal: JournalReader
  /** Number of the newest entry. */
  lastEntry: number
}) => Promise<RecordAction[]>

/** What must hold of one kind of metadata; it is not there while it has no value. */
export interface MetadataCondition {
  kind: string
  condition: Condition
}

/** A zone whose records or properties are to change. */
export interface ZoneEdit {
  op: 'edit'
  zoneId: number
  properties?: ZoneProperties
  /** What the properties must still be. Else the change ends as `StateChanged`. */
  propertiesFrom?: ZoneProperties
  /** Given, or to be worked out under the lock of the zone. */
  actions: RecordAction[] | ActionsFromJournal
  /** About the zone itself. */
  condition?: Condition
  /** About the metadata of one kind, which is wanted too. */
  metadataCondition?: MetadataCondition
  /**
   * The serial goes on from the stored one, also where the actions write the SOA record; 'unless-newer':
   * but that of the written SOA counts where it is newer (RFC 1982, 3.2).
   */
  stepSerial?: boolean | 'unless-newer'
  /** The actions are all that the zone is to hold: other RRsets end, but those of the name server. */
  whole?: boolean
  /** Rights are asked for the RRsets that change, and not for all that the actions name. */
  asksByDifference?: boolean
  /** What people wrote about records: of all of the zone with `whole`, else of the RRsets of the actions. */
  notes?: RecordComment[]
  /** What was found wrong, but no error, before the actions were made; goes with the plan's warnings. */
  warnings?: Violation[]
  /** What the zone has from its template afterwards; noted also where no record changes. */
  template?: WantedLink
  /** Set where the actions bring back all of a name, or of the zone, as it was once. */
  restores?: RestoredScope
  /** What the change of this zone came from, where each of several zones has an own one. */
  origin?: Origin
}

/** An edit whose actions are known before the zone is locked. */
export interface ListedEdit extends ZoneEdit {
  actions: RecordAction[]
}

/** A zone that is to go, with all that belongs to it. */
export interface ZoneDeletion {
  op: 'delete'
  zoneId: number
  condition?: Condition
}

/** The part of a change set that is about one zone. */
export type ZoneChangeSet = ZoneCreation | ZoneEdit | ZoneDeletion

/**
 * What somebody wants to change, on one zone or several, to be done as a whole or not at all. The only
 * way to write a zone or a record. No zone is named twice.
 */
export interface ChangeSet {
  intent: Intent
  origin: Origin | null
  zones: ZoneChangeSet[]
  /** It is planned to be filed as a change request, and in no case made. */
  isFiling?: boolean
  /** It carries out an approved change request, and needs no review. */
  isApproved?: boolean
}
