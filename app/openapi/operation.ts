import type { OpenApiParameter } from '#lists/docs/openapi'
import type { ListDeclaration } from '#lists/declaration'
import type { JsonSchema } from '#openapi/schema'

/** Returns the schema of a compiled validator. */
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
  /** The validator of the body. */
  validator: DescribedValidator
  /** A valid example of the body. */
  example: object
  /** Descriptions of members by their paths, such as `records.content`. */
  members?: Record<string, string>
  /** Required members that the validator leaves optional, because other code checks them. */
  required?: string[]
  /** Schemas of members whose validator is less precise. */
  schemas?: Record<string, JsonSchema>
  /** Schemas of other accepted content types, by type. */
  contents?: Record<string, { example: string }>
}

/** Description of a route. */
export interface Operation {
  /** One of `TAGS`. */
  tag: string
  /** A few words, for the title of the operation. */
  summary: string
  /** Description in CommonMark. */
  description?: string
  /** Required permissions, as text. */
  needs?: string
  /** The list of the operation; it declares the query parameters. */
  list?: ListDeclaration
  /** Defaults of the list parameters, by name. */
  listDefaults?: Readonly<Record<string, string>>
  /** The answer has numbered pages, but the operation has no list declaration. */
  isPaged?: boolean
  parameters?: Parameter[]
  body?: DescribedBody
  /** Schema of `data` by status, for answers that succeed; null for those without a body. */
  answers: Record<number, JsonSchema | null>
  /** Schemas of other content types, by status, then by type. */
  otherAnswers?: Record<number, Record<string, { example: string }>>
  /** Its own error statuses with reasons, in addition to common ones. */
  refusals?: Record<number, string>
  /** Schema of `data` in error answers, by status. */
  refusalData?: Record<number, JsonSchema>
  /** The write accepts `If-Match`, and its answers have an entity tag. */
  hasTag?: boolean
  /** Whether successful answers have the time at top level. `sometimes`: only paged answers. */
  isStamped?: boolean | 'sometimes'
  /** `false` for a write without dry run; otherwise the schema of the plan. */
  dryRun?: JsonSchema | false
}

/** Operations by method and path below `/api/v2`, as `GET /zones/{id}`. */
export type Operations = Readonly<Record<string, Operation>>
