import { canonicalJson, type Json } from '#audit/canonical_json'
import type { Detail } from '#audit/event'

/** Maximum characters of one text; longer texts are truncated. */
export const MAX_TEXT = 256
const MAX_ITEMS = 100
const MAX_DEPTH = 4
/** Maximum characters of a detail. A longer one is not stored. */
export const MAX_DETAIL = 8_192

/** Members with secrets, which callers should not pass. */
const SECRET_NAME = /passw|secret|token|private|credential|^key$|^hash$/i
/** API keys: their public prefix stays. */
const KEY_TEXT = /(pwa_[0-9a-f]{8})[0-9a-f]{24,}/gi
const MASK = '********'

/**
 * The stored text of the detail of an event. It records what happened and does not copy the request: long texts and lists are
 * cut, and secrets are masked. Never throws because of the size.
 */
export function detailText(detail: Detail): string {
  const members = Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, maskedMember(name, value, 1)])
  )
  const text = canonicalJson(members)
  return text.length <= MAX_DETAIL ? text : canonicalJson({ left_out: text.length })
}

function maskedMember(name: string, value: Json | undefined, depth: number): Json | undefined {
  const isSecret = SECRET_NAME.test(name) && typeof value === 'string'
  return isSecret ? MASK : maskedValue(value, depth)
}

function maskedValue(value: Json | undefined, depth: number): Json | undefined {
  if (typeof value === 'string') {
    const masked = value.replace(KEY_TEXT, `$1${MASK}`)
    return masked.length <= MAX_TEXT ? masked : `${masked.slice(0, MAX_TEXT)}…`
  }
  if (value === null || typeof value !== 'object') {
    return value
  }
  if (depth >= MAX_DEPTH) {
    return '…'
  }
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => maskedValue(item, depth + 1) ?? null)
    const omittedCount = value.length - items.length
    return omittedCount > 0 ? [...items, `… ${omittedCount} more`] : items
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, maskedMember(name, member, depth + 1)])
  )
}
