import type { HttpContext } from '@adonisjs/core/http'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import type { VineValidator } from '@vinejs/vine'
import { parseJsonBody } from '#controllers/support/json_body'
import { runYielding, yieldIfDue } from '#database/event_loop'
import { invalid, Refusal } from '#exceptions/refusal'
import { wholeTextSteps } from '#exceptions/whole_text'
import { bodyText } from '#middleware/body/body_reader'
import { checkedItems, type CheckedItems } from '#controllers/support/body_items'
import { checked } from '#validators/checked'
import { refuseUnknownMembers } from '#validators/known_members'

const MAX_FORM_CHARACTERS = 524_288
/** Above any form of an API client, and decoded within milliseconds. */
const MAX_FORM_FIELDS = 20_000
const NOT_JSON = 'Invalid JSON in request body'

/**
 * Reads and validates a body after authentication and authorization, so that other callers cannot
 * use memory. A body that starts like JSON is JSON with any content type; else a form is accepted.
 *
 * @param before checks the raw members that not every caller may send
 * @throws 400 for an empty or invalid body, 413 for a body over `api.max_body_bytes`
 */
export async function validBody<Schema extends SchemaTypes>(
  ctx: HttpContext,
  validator: VineValidator<Schema, undefined>,
  before?: (members: Readonly<Record<string, unknown>>) => void
): Promise<Infer<VineValidator<Schema, undefined>>> {
  const body = await rawBody(ctx)
  before?.({ ...body })
  refuseUnknownMembers(validator, { ...body })
  return checked(validator, body)
}

/** As `validBody`, for a body with a list; see `checkedItems`. */
export async function validItems<Schema extends SchemaTypes>(
  ctx: HttpContext,
  validator: VineValidator<Schema, undefined>,
  list: string
): Promise<CheckedItems<Infer<VineValidator<Schema, undefined>>>> {
  return checkedItems(validator, { ...(await rawBody(ctx)) }, list)
}

/**
 * Throws a 400 `Refusal` for names such as `dryRun` or `dry_rum`: ignored like other unknown names,
 * such a request would write.
 *
 * @param place such as `Field`
 */
export function refuseMisspeltDryRun(names: readonly string[], place: string): void {
  const misspelt = names.find((name) => name !== 'dry_run' && /^dry/i.test(name))
  if (misspelt !== undefined) {
    throw invalid(`${place} '${misspelt.slice(0, 100)}' is unknown; allowed: 'dry_run'`)
  }
}

async function rawBody(ctx: HttpContext): Promise<object> {
  const body = await parsedBody(ctx)
  if (Object.keys(body).length === 0) {
    throw invalid(NOT_JSON)
  }
  refuseMisspeltDryRun(Object.keys(body), 'Field')
  await yieldIfDue()
  await runYielding(wholeTextSteps(body, 'body'))
  return body
}

/** The members of a body before its validation; none of a body that `validBody` refuses. */
export async function unvalidatedMembers(
  ctx: HttpContext
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { ...(await parsedBody(ctx)) }
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return {}
    throw error
  }
}

/**
 * As `validBody`, for requests without a required body, such as deletions. An empty body, `null`
 * and an empty object or list have no members.
 */
export async function optionalBody<Schema extends SchemaTypes>(
  ctx: HttpContext,
  validator: VineValidator<Schema, undefined>
): Promise<Partial<Infer<VineValidator<Schema, undefined>>>> {
  const text = await bodyText(ctx)
  return isBlank(text) ? {} : validBody(ctx, validator)
}

async function parsedBody(ctx: HttpContext): Promise<object> {
  const text = await bodyText(ctx)
  const isForm = ctx.request.header('content-type')?.startsWith('application/x-www-form-urlencoded')
  const isLikelyJson = /^[{[]/.test(text.trimStart())
  return isForm && !isLikelyJson ? parseForm(text) : parseJson(text)
}

/**
 * A single expression that also matches the surrounding spaces would take quadratic time for many spaces before another
 * character.
 */
function isBlank(text: string): boolean {
  const trimmed = text.trim()
  return trimmed === '' || /^(?:null|\{\s*\}|\[\s*\])$/.test(trimmed)
}

async function parseJson(text: string): Promise<object> {
  let value: unknown
  try {
    value = await parseJsonBody(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalid(NOT_JSON)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${NOT_JSON}: an object is expected`)
  }
  return value
}

/**
 * A form. `name[]` or `name[0]` adds to a list in the order of the text; of a repeated plain name,
 * the last counts. Throws 400 for other brackets: an ignored restriction would be none. Throws 413 above
 * MAX_FORM_CHARACTERS and MAX_FORM_FIELDS: a form is decoded at once.
 */
function parseForm(text: string): object {
  if (text.length > MAX_FORM_CHARACTERS) {
    throw new Refusal(
      413,
      `A form can have at most ${MAX_FORM_CHARACTERS} characters, found ${text.length}: send JSON, or a zone file as text/dns`
    )
  }
  const fields = text.split('&', MAX_FORM_FIELDS + 1).length
  if (fields > MAX_FORM_FIELDS) {
    throw new Refusal(413, `A form can have at most ${MAX_FORM_FIELDS} fields: send JSON`)
  }
  const form = new Map<string, string | string[]>()
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.replace(/\[\d*\]$/, '')
    if (/[[\]]/.test(name)) {
      const quoted = JSON.stringify(key.slice(0, 100))
      throw invalid(
        `A form can have plain fields, and lists such as name[] or name[0], found ${quoted}: send other data as JSON`
      )
    }
    const existing = form.get(name)
    const isList = name !== key
    if (isList && Array.isArray(existing)) existing.push(value)
    else form.set(name, isList ? [value] : value)
  }
  // Object.fromEntries defines properties: a field named `constructor` or `__proto__` is an ordinary field.
  return Object.fromEntries(form)
}
