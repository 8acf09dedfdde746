import vine from '@vinejs/vine'
import { yieldIfDue } from '#database/event_loop'
import { COMMENT_LIMIT } from '#dns/zonefile/index'

/*
 * Field types of the API. A null member counts as absent. Numbers may be decimal text, as in forms;
 * nothing is rounded or converted otherwise.
 */

const WHOLE_NUMBER = /^-?\d{1,15}$/

/** A whole number from `min` to `max`, both included. */
export function wholeNumber(range: { min: number; max: number }) {
  return vine
    .number({ strict: true })
    .parse((value) =>
      typeof value === 'string' && WHOLE_NUMBER.test(value) ? Number(value) : value
    )
    .withoutDecimals()
    .range([range.min, range.max])
}

/** true, false, 1, 0 or one of them as text. */
export function flag() {
  return vine.boolean({ strict: true }).parse((value) => {
    if (value === 1 || value === '1' || value === 'true') {
      return true
    }
    return value === 0 || value === '0' || value === 'false' ? false : value
  })
}

/**
 * TTL of a record in seconds. Planning judges the range (RFC 2181, 8): a stored TTL that a request
 * repeats may lie outside of it.
 */
export function ttlSeconds() {
  return anyWholeNumber()
}

/** Priority of a record; the range is judged as that of `ttlSeconds`. */
export function recordPriority() {
  return anyWholeNumber()
}

function anyWholeNumber() {
  return wholeNumber({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
}

/** A comment on a record, up to its storable length. */
export function recordComment() {
  return vine.string().maxLength(COMMENT_LIMIT)
}

/** Maximum of records in one RRset of a body: above any RRset in use, and small enough for memory. */
export const MAX_RECORDS = 10_000

/** Maximum of actions in one body. */
export const MAX_ACTIONS = 10_000

/** A record of an RRset, with its comment. */
export function recordItem() {
  return vine.object({
    content: entryText().optional(),
    priority: recordPriority().optional(),
    disabled: flag().optional(),
    comment: recordComment().optional(),
  })
}

/** Members of an action on one record. The action decides which of them are required. */
export function recordMembers() {
  const text = () => vine.string().optional()
  return {
    name: text(),
    type: text(),
    content: text(),
    ttl: ttlSeconds().optional(),
    priority: recordPriority().optional(),
    disabled: flag().optional(),
    comment: recordComment().optional(),
  }
}

/** Members of the body of every write: dry run and reason. */
export function writeMembers() {
  return {
    dry_run: flag().optional(),
    reason: vine.string().maxLength(1024).optional(),
  }
}

const yields = vine.createRule(
  async () => {
    const pause = yieldIfDue()
    if (pause) await pause
  },
  { implicit: true, isAsync: true }
)

/** A text in each entry of a long list: the validation of the list yields to the event loop when due. */
export function entryText() {
  return vine.string().use(yields())
}

const isTextOrNumber = vine.createRule((value, _options, field) => {
  if (typeof value !== 'string' && !Number.isSafeInteger(value)) {
    field.report('must be a whole number or a string', 'textOrNumber', field)
  }
})

/**
 * A text or a whole number, unchanged: clients send ids in both types. A union of Vine types would
 * call `Number()` on any value.
 */
export function textOrNumber() {
  return vine
    .any()
    .use(isTextOrNumber())
    .transform((value) => value as string | number)
}

/** As `textOrNumber`; an object is replaced by its `id`. */
export function reference() {
  return vine
    .any()
    .parse((value) => (isObject(value) && Object.hasOwn(value, 'id') ? value.id : value))
    .use(isTextOrNumber())
    .transform((value) => value as string | number)
}

function isObject(value: unknown): value is { id?: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Id of a row. Any whole number is valid: an id without a row answers 404, not 400. */
export function rowNumber() {
  return anyWholeNumber()
}

/** Body of a write without members of its own: DELETE. */
export const writeValidator = vine.create(writeMembers())
