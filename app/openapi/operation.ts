import type { OpenApiParameter } from '#lists/docs/openapi'
import type { ListDeclaration } from '#lists/declaration'
import type { JsonSchema } from '#openapi/schema'

/** The schema of a compiled validator. */
export interface DescribedValidator {
  toJSONSchema(): object
}

/** A header or query parameter in addition to those of all operations of the kind. */
export type Parameter = Omit<OpenApiParameter, 'in' | 'schema'> & {
  in: 'query' | 'header'
  schema: JsonSchema
  required?: boolean
}

/** The body of a request. */
export interface DescribedBody {
  /** What reads it. */
  validator: DescribedValidator
  /** A body that could be sent. */
  example: object
  /** Descriptions of members by their paths, such as `records.content`. */
  members?: Record<string, string>
  /** Required members that the validator leaves optional, because other code checks them. */
  required?: string[]
  /** Schemas of members whose validator is less precise. */
  schemas?: Record<string, JsonSchema>
  /** Other kinds of content that are taken, by their types. */
  contents?: Record<string, { example: string }>
}

/** Description of a route. */
export interface Operation {
  /** One of `TAGS`. */
  tag: string
  /** A few words; the title of the operation. */
  summary: string
  /** More, in CommonMark. */
  description?: string
  /** Required permissions, as text. */
  needs?: string
  /** A list has the parameters of its declaration. */
  list?: ListDeclaration
  /** Values of its parameters where they are absent, by name. */
  listDefaults?: Readonly<Record<string, string>>
  /** Has pages by number, but no list declaration. */
  isPaged?: boolean
  parameters?: Parameter[]
  body?: DescribedBody
  /** Schema of `data` by status, for answers that succeed; null for those without a body. */
  answers: Record<number, JsonSchema | null>
  /** Schema of whole answers of other types, by status, then type. */
  otherAnswers?: Record<number, Record<string, { example: string }>>
  /** Its own error statuses with reasons, in addition to common ones. */
  refusals?: Record<number, string>
  /** Schema of `data` of refusals that have any. */
  refusalData?: Record<number, JsonSchema>
  /** A write with conditions (`If-Match`); answers with an entity tag. */
  hasTag?: boolean
  /** Whether successes carry the time at top level; `sometimes`: where they are paged. */
  isStamped?: boolean | 'sometimes'
  /** A write without a dry run, or another schema of its answer. */
  dryRun?: JsonSchema | false
}

/** Operations by method and path below `/api/v2`, as `GET /zones/{id}`. */
export type Operations = Readonly<Record<string, Operation>>
