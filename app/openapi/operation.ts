import type { OpenApiParameter } from '#lists/docs/openapi'
import type { ListDeclaration } from '#lists/declaration'
import type { JsonSchema } from '#openapi/schema'

/** What a compiled validator says of itself. */
export interface DescribedValidator {
  toJSONSchema(): object
}

/** A header or query parameter beside those that all operations of the kind have. */
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
  /** What is said of members, by their paths such as `records.content`. */
  members?: Record<string, string>
  /** Members that have to be there though the validator leaves it to others to say so. */
  required?: string[]
  /** Schemas of members of which the validator says less than what is taken. */
  schemas?: Record<string, JsonSchema>
  /** Other kinds of content that are taken, by their types. */
  contents?: Record<string, { example: string }>
}

/** What the description says of one route. */
export interface Operation {
  /** One of `TAGS`. */
  tag: string
  /** A few words; the title of the operation. */
  summary: string
  /** More, in CommonMark. */
  description?: string
  /** What the caller needs, in words: permissions by name. */
  needs?: string
  /** Lists take the parameters of their declaration. */
  list?: ListDeclaration
  /** Values of its parameters where they are absent, by name. */
  listDefaults?: Readonly<Record<string, string>>
  /** Pages by number, and takes the parameters itself. */
  isPaged?: boolean
  parameters?: Parameter[]
  body?: DescribedBody
  /** Schema of `data` by status, for answers that succeed; null for those without a body. */
  answers: Record<number, JsonSchema | null>
  /** Schema of whole answers of other types, by status, then type. */
  otherAnswers?: Record<number, Record<string, { example: string }>>
  /** Statuses of refusals of its own, with why; common ones are known. */
  refusals?: Record<number, string>
  /** Schema of `data` of refusals that have any. */
  refusalData?: Record<number, JsonSchema>
  /** The write takes conditions (`If-Match`), and answers with an entity tag. */
  hasTag?: boolean
  /** Whether successes carry the time at top level; `sometimes`: where they are paged. */
  isStamped?: boolean | 'sometimes'
  /** A write that takes no dry run, or that plans nothing. */
  dryRun?: JsonSchema | false
}

/** Operations by method and path below `/api/v2`, as `GET /zones/{id}`. */
export type Operations = Readonly<Record<string, Operation>>
