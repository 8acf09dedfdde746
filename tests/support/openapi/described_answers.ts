import router from '@adonisjs/core/services/router'
import { ApiClient, type ApiResponse } from '@japa/api-client'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { apiDescription } from '#openapi/api'

interface DescribedAnswer {
  content?: Record<string, { schema?: object; example?: unknown }>
}

interface DescribedOperation {
  parameters?: { name: string; schema: { default?: unknown } }[]
  requestBody?: { content: Record<string, { schema?: object; example?: unknown }> }
  responses: Record<string, DescribedAnswer>
}

type Document = {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { responses: Record<string, DescribedAnswer> }
}

/** Returns the OpenAPI description with its shared parts inserted at each reference. */
function described(): Description {
  const document = structuredClone(apiDescription()) as Document & Description
  const shared = Object.entries(document.components.responses)
  const answers = new Map(shared.map(([name, one]) => [`#/components/responses/${name}`, one]))
  for (const operation of Object.values(document.paths).flatMap((it) => Object.values(it))) {
    for (const [status, answer] of Object.entries(operation.responses)) {
      const { $ref } = answer as { $ref?: string }
      operation.responses[status] = $ref === undefined ? answer : answers.get($ref)!
    }
  }
  return document
}

/** The parts of the description that tests read. */
export interface Description {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, object> }
}

const PREFIX = '/api/v2'

/** Statuses of the service as a whole. Operations need not list them. */
const OF_THE_SERVICE = new Set([405, 413, 415, 429, 500])

/** Validates values against the OpenAPI description of the API. */
export class DescribedAnswers {
  readonly description = described()
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false })
  readonly #compiled = new Map<object, ValidateFunction>()

  constructor() {
    addFormats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'api', components: this.description.components })
  }

  /** Returns the operation of a route and method, if the description has it. */
  operation(method: string, pattern: string): DescribedOperation | undefined {
    const path = pattern.slice('/api'.length).replace(/:(\w+)/g, '{$1}')
    return this.description.paths[path]?.[method.toLowerCase()]
  }

  /** Returns the fault of a value against a schema of the description; null if it is valid. */
  problemOf(schema: object, value: unknown): string | null {
    const compiled = this.#compiled.get(schema) ?? this.#compile(schema)
    this.#compiled.set(schema, compiled)
    return compiled(value) ? null : this.#ajv.errorsText(compiled.errors, { dataVar: 'answer' })
  }

  /** References lead into the description, wherever the schema is. */
  #compile(schema: object): ValidateFunction {
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/')
    return this.#ajv.compile(JSON.parse(text))
  }

  /** Returns the fault of an API response; null if the description allows the response. */
  problemWith(method: string, pattern: string, status: number, body: unknown): string | null {
    const location = `${method} ${pattern} ${status}`
    const operation = this.operation(method, pattern)
    if (!operation) {
      return `${location}: the route is not described`
    }
    const answer = operation.responses[String(status)]
    if (!answer) {
      return OF_THE_SERVICE.has(status) ? null : `${location}: the status is not described`
    }
    const { schema } = answer.content?.['application/json'] ?? {}
    if (!schema || typeof body !== 'object') {
      return null
    }
    const problem = this.problemOf(schema, body)
    return problem && `${location}: ${problem}; found ${JSON.stringify(body).slice(0, 1000)}`
  }
}

let answers: DescribedAnswers | undefined

/** Asserts that the description allows every response that the API client of a test receives. */
export function checkDescribedAnswers(): void {
  ApiClient.teardown((response) => {
    const problem = problemOfResponse(response)
    if (problem) {
      throw new Error(`The description of the API does not fit. ${problem}`)
    }
  })
}

function problemOfResponse(response: ApiResponse): string | null {
  const { method, path } = (
    response.response as unknown as { req: { method: string; path: string } }
  ).req
  const [url] = path.split('?')
  if (!url.startsWith(`${PREFIX}/`)) {
    return null
  }
  const pattern = patternOf(url, method)
  if (pattern === null) {
    return null
  }
  const isOther = !(response.type() ?? '').includes('json') && response.text() !== ''
  if (isOther || method === 'HEAD') {
    return null
  }
  answers ??= new DescribedAnswers()
  return answers.problemWith(method, pattern, response.status(), response.body())
}

/** Returns the pattern of the route that handles the request; null without a route. */
export function patternOf(url: string, method: string): string | null {
  try {
    return router.match(url, method === 'HEAD' ? 'GET' : method, true)?.route.pattern ?? null
  } catch {
    return null
  }
}
