import { Readable } from 'node:stream'
import { test } from '@japa/runner'
import type { VineValidator } from '@vinejs/vine'
import type { SchemaTypes } from '@vinejs/vine/types'
import type { HttpContext } from '@adonisjs/core/http'
import { jsonSizeSteps, parseJsonBody } from '#controllers/support/json_body'
import { optionalBody, unvalidatedMembers, validBody } from '#controllers/support/request_body'
import { finished } from '#dns/steps'
import { lineOfBadUtf8 } from '#exceptions/not_utf8'
import { Refusal } from '#exceptions/refusal'
import { wholeTextSteps } from '#exceptions/whole_text'
import UploadMiddleware from '#middleware/body/upload_middleware'
import { cpuMs, longestStepMs, longestStop } from '#tests/support/cpu_time'
import { fileRequestValidator } from '#validators/change_request'
import { checked } from '#validators/checked'
import { bulkValidator, changesValidator } from '#validators/record_sets'

const MB = 1_000_000
/** Milliseconds of CPU time. The quadratic or unbounded forms took 300 ms to hours. */
const BOUND = 150

/** A request with the parts that body parsing reads. */
function requestWith(bodyText: string, type = 'application/json'): HttpContext {
  const header = (name: string) => (name === 'content-type' ? type : undefined)
  return { bodyText, request: { header } } as unknown as HttpContext
}

async function refusalOf(work: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const form = 'application/x-www-form-urlencoded'
/** Refused bodies. Each took long in one step before. */
const LARGE: [what: string, status: number, message: string, body: string, type?: string][] = [
  ['empty objects', 400, 'more than 200000 values', `{"operations":[${'{},'.repeat(2 * MB)}{}]}`],
  ['empty lists', 400, 'more than 200000 values', `{"operations":[${'[],'.repeat(2 * MB)}[]]}`],
  ['numbers', 400, 'more than 200000 values', `{"operations":[${'1,'.repeat(4 * MB)}1]}`],
  ['members', 400, 'an object of more than 1000 members', `{${'"a":0,'.repeat(MB)}"a":0}`],
  ['nested lists', 400, 'nested deeper than 32 levels', '['.repeat(8 * MB)],
  ['nested objects', 400, 'nested deeper than 32 levels', '{"a":'.repeat(2 * MB)],
  [
    'invalid operations',
    400,
    '9900 more fields are invalid',
    `{"operations":[${'{},'.repeat(9_999)}{}]}`,
  ],
  ['operations', 400, 'at most 10000 entries', `{"operations":[${'{},'.repeat(90_000)}{}]}`],
  ['entries of a form', 413, 'at most 524288 characters', 'operations[]=a&'.repeat(MB / 2), form],
  ['blanks in a form', 413, 'at most 524288 characters', `a=${'+'.repeat(8 * MB)}`, form],
  ['empty entries of a form', 400, "Field 'operations", 'operations[]=&'.repeat(19_000), form],
  ['fields of a form', 413, 'at most 20000 fields', 'operations[]=&'.repeat(20_000), form],
]

/** Returns the fields of an upload form, and the longest CPU time in ms between turns of the event loop. */
async function uploaded(body: string, type: string) {
  const bytes = Buffer.from(body)
  let fields: Record<string, string> = {}
  const ctx = {
    request: {
      method: () => 'POST',
      header: () => type,
      request: Object.assign(Readable.from([bytes]), { headers: {} }),
      setInitialBody: (found: Record<string, string>) => (fields = found),
    },
    response: { header: () => {} },
  } as unknown as HttpContext
  const { stop, result } = await longestStop(() =>
    refusalOf(() => new UploadMiddleware().handle(ctx, async () => {}))
  )
  return { fields, stop, refusal: result }
}

const parts = (text: string, count = 1) =>
  `${`--b\r\ncontent-disposition: form-data; name="text"\r\n\r\n${text}\r\n`.repeat(count)}--b--\r\n`
const multipart = 'multipart/form-data; boundary=b'

/** Upload forms: title, body, type, and the expected text or error. */
const UPLOADS: [what: string, body: string, type: string, text: string | RegExp][] = [
  ['line breaks of Windows', parts('a\r\n'.repeat(2 * MB)), multipart, 'a\n'.repeat(2 * MB)],
  ['line breaks', parts('\r\n'.repeat(4 * MB)), multipart, '\n'.repeat(4 * MB)],
  ['returns before line breaks', parts('\r\r\n'.repeat(MB)), multipart, '\r\n'.repeat(MB)],
  ['returns', parts('\r'.repeat(8 * MB)), multipart, '\r'.repeat(8 * MB)],
  ['parts', parts('a', 100_000), multipart, /more than 1000 fields/],
  ['fields', 'text=a&'.repeat(MB), form, /more than 1000 fields/],
  ['blanks', `text=${'+'.repeat(8 * MB)}%2B`, form, `${' '.repeat(8 * MB)}+`],
]

const entries = (count: number, entry: object) => Array.from({ length: count }, () => entry)
const set = { op: 'set', name: 'a.example.org.', type: 'A', ttl: 60 }
/** Valid lists near the limit of `api.max_body_values`. */
const LONG_LISTS: [what: string, body: object, validator: VineValidator<SchemaTypes, undefined>][] =
  [
    [
      '90 000 empty records',
      { actions: entries(9, { ...set, records: entries(10_000, {}) }) },
      changesValidator,
    ],
    [
      '40 000 records',
      { actions: entries(4, { ...set, records: entries(10_000, { content: 'x', priority: 0 }) }) },
      changesValidator,
    ],
    ['10 000 actions', { actions: entries(10_000, set) }, changesValidator],
    [
      '10 000 operations',
      { operations: entries(10_000, { action: 'create', name: 'a', type: 'A', content: 'x' }) },
      bulkValidator,
    ],
    [
      '90 000 empty records of change requests',
      { actions: entries(9, { ...set, records: entries(10_000, {}) }) },
      fileRequestValidator,
    ],
  ]

test.group('Request bodies', () => {
  for (const [what, status, message, body, type] of LARGE) {
    test(`a body of many ${what} is refused without blocking`, async ({ assert }) => {
      const ctx = requestWith(body, type)
      const before = process.cpuUsage()
      const refusal = await refusalOf(() => validBody(ctx, bulkValidator))
      const { user, system } = process.cpuUsage(before)
      assert.equal(refusal?.status, status)
      assert.include(refusal!.message, message)
      assert.isBelow(refusal!.message.length, 20_000)
      assert.isBelow((user + system) / 1000, 4 * BOUND)
      assert.deepEqual(Object.keys(await unvalidatedMembers(requestWith('[', type))).length, 0)
    })
  }

  for (const [what, body, validator] of LONG_LISTS) {
    test(`${what} are validated without blocking`, async ({ assert }) => {
      const { result, stop } = await longestStop(() => checked(validator, body))
      assert.isObject(result)
      assert.isBelow(stop, BOUND / 2)
    })
  }

  test('the size of a large JSON text is checked in steps', ({ assert }) => {
    const texts = [
      `"${'a'.repeat(8 * MB)}"`,
      `"${String.raw`\"`.repeat(4 * MB)}"`,
      `"${'\\\\'.repeat(4 * MB)}"`,
      `[${'"",'.repeat(3 * MB)}""]`,
      `{${' '.repeat(8 * MB)}}`,
    ]
    for (const text of texts) {
      const steps = () => jsonSizeSteps(text, 32, Infinity)
      assert.isBelow(longestStepMs(steps, BOUND), BOUND, text.slice(0, 10))
    }
  })

  test('brackets and commas in strings are not counted as values', ({ assert }) => {
    const sizeOf = (text: string, depth: number, values: number) =>
      finished(jsonSizeSteps(text, depth, values))
    sizeOf(String.raw`{"a[[[,,,\"[[[,": "\\", "b": [1]}`, 2, 3)
    assert.throws(() => sizeOf('{"a": [1]}', 1, 3), 'Request body is nested deeper than 1 levels')
    assert.throws(
      () => sizeOf('{"a": [1, 2, 3]}', 2, 3),
      'Request body has more than 3 values (setting api.max_body_values); allowed: at most 3. Send it in parts'
    )
  })

  test('JSON bodies are parsed as by JSON.parse', async ({ assert }) => {
    for (const text of ['{}', ' [1, "a"] ', '"a\\"b"', '{"__proto__": {"a": 1}}', 'null', '1e3']) {
      assert.deepEqual(await parseJsonBody(text), JSON.parse(text))
    }
    for (const text of ['', '{', '[1,]', '{"a"}', "{'a': 1}", '"']) {
      await assert.rejects(() => parseJsonBody(text), SyntaxError)
    }
  })

  test('an optional body may be blank, null or an empty object, and nothing else without members', async ({
    assert,
  }) => {
    for (const text of ['', ' \n', 'null', ' { } ', '[\t]\n']) {
      assert.deepEqual(await optionalBody(requestWith(text), bulkValidator), {})
    }
    for (const text of ['x', 'nul', '[]x', '{}{}']) {
      const refusal = await refusalOf(() => optionalBody(requestWith(text), bulkValidator))
      assert.equal(refusal?.status, 400)
    }
  })

  test('blanks around an optional body take linear time', async ({ assert }) => {
    for (const text of [`${' '.repeat(MB)}x`, `{${' '.repeat(MB)}x`, `[${'\n'.repeat(MB)}`]) {
      const before = process.cpuUsage()
      const refusal = await refusalOf(() => optionalBody(requestWith(text), bulkValidator))
      const { user, system } = process.cpuUsage(before)
      assert.equal(refusal?.status, 400)
      assert.isBelow((user + system) / 1000, BOUND)
    }
  })

  for (const [what, body, type, expected] of UPLOADS) {
    test(`an upload form with many ${what} does not block other requests`, async ({ assert }) => {
      let { fields, stop, refusal } = await uploaded(body, type)
      // Garbage collection may run in one attempt.
      for (let attempt = 0; attempt < 2 && stop > BOUND; attempt++) {
        ;({ fields, stop, refusal } = await uploaded(body, type))
      }
      if (typeof expected === 'string') assert.isTrue(fields.text === expected)
      else assert.match(refusal!.message, expected)
      assert.isBelow(stop, BOUND)
    })
  }

  test('a form keeps the order of a list', async ({ assert }) => {
    const body = 'a[]=1&a[5]=2&a[]=3&b=4&b=5'
    assert.deepEqual(await unvalidatedMembers(requestWith(body, form)), {
      a: ['1', '2', '3'],
      b: '5',
    })
  })

  test('text is checked for invalid bytes without blocking', ({ assert }) => {
    const list = Array.from({ length: MB }, () => '')
    assert.isBelow(
      longestStepMs(() => wholeTextSteps(list, 'body'), BOUND),
      BOUND
    )
    const bytes = Buffer.concat([Buffer.alloc(8 * MB, '\n'), Buffer.from([0xff])])
    assert.isBelow(
      cpuMs(() => assert.equal(lineOfBadUtf8(bytes), 8 * MB + 1)),
      BOUND
    )
  })
})
