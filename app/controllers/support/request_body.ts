import type { HttpContext } from '@adonisjs/core/http'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import type { VineValidator } from '@vinejs/vine'
import api from '#config/api'
import { runYielding, yieldIfDue } from '#database/event_loop'
import { invalid } from '#exceptions/refusal'
import { wholeTextSteps } from '#exceptions/whole_text'
import { bodyText } from '#middleware/body/body_reader'
import { checkedItems, type CheckedItems } from '#controllers/support/body_items'
import { checked } from '#validators/checked'
import { refuseUnknownMembers } from '#validators/known_members'

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

async function rawBody(ctx: HttpContext): Promise<object> {
  const text = await bodyText(ctx)
  const isForm = ctx.request.header('content-type')?.startsWith('application/x-www-form-urlencoded')
  const isLikelyJson = /^\s*[{[]/.test(text)
  const body = isForm && !isLikelyJson ? parseForm(text) : parseJson(text)
  if (Object.keys(body).length === 0) {
    throw invalid(NOT_JSON)
  }
  await yieldIfDue()
  await runYielding(wholeTextSteps(body, 'body'))
  return body
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
  return /^\s*(null|\{\s*\}|\[\s*\])?\s*$/.test(text) ? {} : validBody(ctx, validator)
}

function parseJson(text: string): object {
  if (depthOf(text) > api.max_body_depth) {
    throw invalid(`Request body is nested deeper than ${api.max_body_depth} levels`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid(NOT_JSON)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`${NOT_JSON}: an object is expected`)
  }
  return value
}

/** Nesting of JSON text without parsing it: counts brackets outside of strings. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (inString) {
      if (character === '\\') {
        i++
      } else if (character === '"') {
        inString = false
      }
    } else if (character === '"') {
      inString = true
    } else if (character === '{' || character === '[') {
      deepest = Math.max(deepest, ++depth)
    } else if (character === '}' || character === ']') {
      depth--
    }
  }
  return deepest
}

/**
 * A form. `name[]` or `name[0]` adds to a list in the order of the text; of a repeated plain name,
 * the last counts. Throws 400 for other brackets: an ignored restriction would be none.
 */
function parseForm(text: string): object {
  const form = new Map<string, string | string[]>()
  for (const [key, value] of new URLSearchParams(text)) {
    const name = key.replace(/\[\d*\]$/, '')
    if (/[[\]]/.test(name)) {
      const found = JSON.stringify(key.slice(0, 100))
      throw invalid(
        `A form holds plain fields and lists such as name[] or name[0], found ${found}: send the rest as JSON`
      )
    }
    const known = form.get(name)
    const isList = name !== key
    form.set(name, isList ? [...(Array.isArray(known) ? known : []), value] : value)
  }
  // Object.fromEntries defines properties: a field named `constructor` or `__proto__` is an ordinary field.
  return Object.fromEntries(form)
}
