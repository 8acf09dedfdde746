import { exampleOf, type Components } from '#openapi/example'
import type { Operation } from '#openapi/operation'
import {
  list,
  named,
  nullSchema,
  object,
  orNull,
  text,
  wholeNumberSchema,
  word,
  type JsonSchema,
} from '#openapi/schema'

/** Statuses that every operation can answer, with the reasons. */
const COMMON_ANSWERS: Record<number, string> = {
  400: 'The request is not valid. The message names the member, the value and what is allowed.',
  401: 'The API key, or the user name and password, is missing or not valid.',
  403: 'The caller or the API key lacks the permission, or the API is disabled.',
  404: 'The object is missing, or hidden from the caller.',
  409: 'The request conflicts with the stored state.',
  412: 'A precondition of the request is not met. `data.current` is the stored state.',
  413: 'The body is too large.',
  422: 'The `Idempotency-Key` was used for another request.',
  429: 'Too many password checks, transfers of whole lists or large requests of the user run at the same time.',
  501: 'The backend in use does not support the request, or a required setting is missing.',
  502: 'The DNS server does not answer, or its answer is not valid. If it did not confirm a write, `data.zones` has the state of each zone.',
  503: 'The database does not answer. Try again.',
}

/** Schema of `data` by error status, for statuses with a fixed one. */
const ERROR_DATA: Record<number, JsonSchema> = {
  412: object({ current: {} }),
  502: object({
    zones: list(
      object({ name: text('example.com'), state: word(['written', 'unknown', 'untouched']) })
    ),
  }),
}

const READ_REFUSALS = [400, 401, 403, 404, 502, 503]
const WRITE_REFUSALS = [400, 401, 403, 404, 409, 413, 422, 502, 503]

const PAGINATION = object({
  current_page: wholeNumberSchema(1),
  per_page: wholeNumberSchema(50),
  total: wholeNumberSchema(1),
  last_page: wholeNumberSchema(1),
})

/** Time of the answer, in the time zone of the server. */
const TIME = object({ timestamp: text('2026-03-01 09:00:00') })

/** All answers of an operation, by status. */
export function answersOf(
  method: string,
  path: string,
  operation: Operation,
  components: Components
): Record<string, OpenApiAnswer | Reference> {
  const isWrite = method !== 'GET'
  const planAnswer =
    isWrite && operation.dryRun !== false ? plannedAnswer(operation, components) : {}
  const successes = Object.entries(operation.answers).map(([status, data]) => [
    status,
    data === null
      ? { description: 'The answer has no body.' }
      : success(operation, data, components),
  ])
  const otherAnswers = Object.entries(operation.otherAnswers ?? {}).map(([status, contents]) => [
    status,
    { description: 'The answer in the requested format.', content: contents },
  ])
  const refusals = statusesOf(isWrite, path, operation).map((status) => [
    String(status),
    refusal(status, operation),
  ])
  const all = mergedAnswers([
    planAnswer,
    ...[successes, otherAnswers, refusals].map((it) => Object.fromEntries(it)),
  ])
  return Object.fromEntries(
    Object.entries(all).map(([status, answer]) => [status, reference(status, answer)])
  )
}

/** Common answers are references to one description. */
function reference(status: string, answer: OpenApiAnswer): OpenApiAnswer | Reference {
  return answer === REFUSALS[refusalName(status)]
    ? { $ref: `#/components/responses/${refusalName(status)}` }
    : answer
}

function refusalName(status: number | string): string {
  return `Refusal${status}`
}

type OpenApiAnswer = { description: string; content?: Record<string, object> }
type Reference = { $ref: string }

/** Merges answers with the same status: one description with the content of both. */
function mergedAnswers(parts: Record<string, OpenApiAnswer>[]): Record<string, OpenApiAnswer> {
  const all: Record<string, OpenApiAnswer> = {}
  for (const [status, answer] of parts.flatMap((part) => Object.entries(part))) {
    const existing = all[status]
    all[status] = existing ? joined(existing, answer) : answer
  }
  return all
}

function joined(one: OpenApiAnswer, other: OpenApiAnswer): OpenApiAnswer {
  const type = 'application/json'
  const schemas = [one, other].flatMap(({ content }) => {
    const { schema } = (content?.[type] ?? {}) as { schema?: JsonSchema }
    return schema ? [schema] : []
  })
  const first = (other.content?.[type] ?? one.content?.[type] ?? {}) as object
  const both = schemas.length > 1 ? { ...first, schema: { anyOf: schemas } } : first
  const content = { ...one.content, ...other.content, [type]: both }
  return { description: `${other.description} ${one.description}`, content }
}

function success(operation: Operation, data: JsonSchema, components: Components): OpenApiAnswer {
  const { list: declared, isPaged, isStamped } = operation
  const optional: Record<string, JsonSchema> = {
    ...(declared || isPaged ? { pagination: PAGINATION } : {}),
    ...(declared ? { next_cursor: orNull(text('djE6NDE')) } : {}),
    ...(isStamped === 'sometimes' ? { meta: TIME } : {}),
  }
  const schema = envelope(data, optional, isStamped === true ? { meta: TIME } : {})
  return json('Success.', schema, exampleOf(schema, components))
}

function plannedAnswer(
  operation: Operation,
  components: Components
): Record<string, OpenApiAnswer> {
  const data = operation.dryRun === undefined ? object({ plan: named('Plan') }) : operation.dryRun
  if (data === false) {
    return {}
  }
  const schema = envelope(data)
  return {
    200: json('With `dry_run`, the answer is the plan.', schema, exampleOf(schema, components)),
  }
}

function envelope(
  data: JsonSchema,
  optional: Record<string, JsonSchema> = {},
  extras: Record<string, JsonSchema> = {}
): JsonSchema {
  const members = { success: { enum: [true], examples: [true] }, data, message: text('Done') }
  return object({ ...members, ...extras }, optional)
}

function json(description: string, schema: JsonSchema, example: unknown): OpenApiAnswer {
  return { description, content: { 'application/json': { schema, example } } }
}

function statusesOf(isWrite: boolean, path: string, operation: Operation): number[] {
  const statuses = new Set([
    ...(isWrite ? WRITE_REFUSALS : READ_REFUSALS),
    ...(path.includes('{') ? [404] : []),
    ...(operation.hasTag && isWrite ? [412] : []),
    ...Object.keys(operation.refusals ?? {}).map(Number),
    ...Object.keys(operation.refusalData ?? {}).map(Number),
  ])
  return [...statuses].sort((a, b) => a - b)
}

function refusal(
  status: number,
  { refusals = {}, refusalData = {} }: Pick<Operation, 'refusals' | 'refusalData'>
): OpenApiAnswer {
  if (status in COMMON_ANSWERS && !(status in refusals) && !(status in refusalData)) {
    return REFUSALS[refusalName(status)]
  }
  const description = refusals[status] ?? COMMON_ANSWERS[status] ?? 'The request is refused.'
  const errorData = refusalData[status] ?? ERROR_DATA[status]
  if (errorData === undefined) {
    const schema = named('Refusal')
    return json(description, schema, { success: false, data: null, message: description })
  }
  const members = { success: { enum: [false], examples: [false] }, data: orNull(errorData) }
  const schema = object({ ...members, message: text(description) })
  return json(description, schema, { success: false, data: null, message: description })
}

/** Common error answers as components, by name. */
export const REFUSALS: Readonly<Record<string, OpenApiAnswer>> = Object.fromEntries(
  Object.keys(COMMON_ANSWERS).map((status) => [
    refusalName(status),
    refusal(Number(status), { refusals: COMMON_ANSWERS }),
  ])
)

/** The body of an error without further members. */
export const REFUSAL: JsonSchema = object(
  {
    success: { enum: [false], examples: [false] },
    data: nullSchema(),
    message: text("Field 'name' must be present"),
  },
  { meta: TIME }
)
