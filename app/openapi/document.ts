import { answersOf, REFUSAL, REFUSALS } from '#openapi/answers'
import { bodySchema } from '#openapi/bodies'
import type { Components } from '#openapi/example'
import type { Operation, Operations, Parameter } from '#openapi/operation'
import type { JsonSchema } from '#openapi/schema'
import { listParameters } from '#lists/docs/openapi'

/** The declarations from which the document is built. */
export interface DescribedApi {
  operations: Operations
  components: Components
  /** Tags with their descriptions, in the order of display. */
  tags: Readonly<Record<string, string>>
}

/** Path parameters that are numeric ids of Zonewright. */
const NUMBERS = /^(id|entry|userId|zoneId|keyId|recordNumber|delivery|n)$/

const DRY_RUN: Parameter = {
  name: 'dry_run',
  in: 'query',
  description: 'Plans and checks the write, and writes nothing.',
  schema: { type: 'boolean' },
}
const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'For 24 hours, a repeated request with the same key gets the stored first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}
const CHANGE_REASON: Parameter = {
  name: 'X-Change-Reason',
  in: 'header',
  description:
    'Reason of the change, for the history. The body can contain the reason as `reason`.',
  schema: { type: 'string', maxLength: 1024 },
}
const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description: 'Writes only if the object still has one of these entity tags.',
  schema: { type: 'string' },
}

/** The description of the API: an OpenAPI 3.1 document. */
export function openApiDocument({ operations, components, tags }: DescribedApi): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const [key, operation] of Object.entries(operations)) {
    const [method, path] = key.split(' ')
    const apiPath = `/v2${path}`
    paths[apiPath] = {
      ...paths[apiPath],
      [method.toLowerCase()]: operationObject(method, path, operation, components),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Zonewright API',
      version: '2.0.0',
      description:
        'DNS zones and records for PowerDNS. Every write accepts `dry_run`, a reason and an `Idempotency-Key`. ' +
        'Names in answers are absolute without a final dot, unless a description says otherwise.',
      contact: { name: 'The administrators of this installation' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    security: [{ apiKeyHeader: [] }, { bearerAuth: [] }, { basicAuth: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...components, Refusal: REFUSAL },
      responses: usedOf(REFUSALS, paths),
      securitySchemes: {
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearerAuth: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        basicAuth: {
          type: 'http',
          scheme: 'basic',
          description: 'User name and password, if `api.basic_auth_enabled` is on.',
        },
      },
    },
  }
}

/** Returns the responses that the text refers to. */
function usedOf<T>(responses: Readonly<Record<string, T>>, paths: object): Record<string, T> {
  const text = JSON.stringify(paths)
  const usedResponses = Object.entries(responses).filter(([name]) => text.includes(`/${name}"`))
  return Object.fromEntries(usedResponses)
}

function operationObject(
  method: string,
  path: string,
  operation: Operation,
  components: Components
): object {
  const { tag, summary, description, needs, body } = operation
  const isWrite = method !== 'GET'
  const words = [description, needs && `**Needs** ${needs}.`].filter(Boolean).join('\n\n')
  const parameters: object[] = [
    ...pathParameters(path),
    ...parametersOfList(operation),
    ...(operation.parameters ?? []),
    ...(isWrite ? writeParameters(operation) : []),
  ]
  return {
    operationId: operationId(method, path),
    tags: [tag],
    summary,
    ...(words ? { description: words } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: (bodySchema(body).required ?? []).length > 0,
            content: {
              'application/json': { schema: bodySchema(body), example: body.example },
              ...body.contents,
            },
          },
        }
      : {}),
    responses: answersOf(method, path, operation, components),
  }
}

/** The query parameters of a list. A parameter has its default, if there is one. */
function parametersOfList({ list, listDefaults }: Operation): object[] {
  const parameters = list ? listParameters(list) : []
  return parameters.map((one) => {
    const value = listDefaults?.[one.name]
    return value === undefined ? one : { ...one, schema: { ...one.schema, default: value } }
  })
}

function writeParameters({ dryRun, hasTag }: Operation): Parameter[] {
  return [
    ...(dryRun === false ? [] : [DRY_RUN]),
    ...(hasTag ? [IF_MATCH] : []),
    IDEMPOTENCY_KEY,
    CHANGE_REASON,
  ]
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: (NUMBERS.test(name)
      ? { type: 'integer', minimum: 0 }
      : { type: 'string' }) satisfies JsonSchema,
  }))
}

/** Returns the operation id: `getZonesIdRecords` for `GET /zones/{id}/records`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const nameEnd = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('')
  return method.toLowerCase() + nameEnd
}
