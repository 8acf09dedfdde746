import type { JsonSchema } from '#openapi/schema'

const DEEP = JSON.parse(`${'['.repeat(100)}1${']'.repeat(100)}`) as unknown

/** Values of wrong types that code may use as a text or a number. The most useful ones come first. */
export const ODD_VALUES: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  [{ toString: 1 }],
  '\0',
  1e308,
  null,
  {},
  [],
  [[]],
  true,
  '',
  ' ',
  -1,
  0.5,
  2 ** 53,
  '1e3',
  '0x10',
  'NaN',
  { length: 1e9 },
  { id: { toString: 1 } },
  { __proto__: null, constructor: 1 },
  ['a', 1, null],
  DEEP,
  'ÿ\u{10ffff}',
  '\u202e\u200b',
  "'; drop table zw_users; --",
  '<script>alert(1)</script>',
  '${7*7}{{7*7}}%s%n',
  '../../../../etc/passwd',
  '9'.repeat(400),
  'x'.repeat(70_000),
  '\r\nX-Injected: 1',
  '%',
]

/** The same values in a query string or a form. */
export const ODD_TEXTS: readonly string[] = ODD_VALUES.filter((value) => typeof value === 'string')

/** Suffixes that turn a field of a form or a query parameter into a list or an object. */
export const ODD_NAMES = ['[]', '[toString]', '[__proto__][x]', '[0][id]'] as const

/** Returns the paths of all members of a schema, such as `records.0.content`. */
export function memberPaths(schema: JsonSchema, path: string[] = []): string[][] {
  const here = path.length > 0 ? [path] : []
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    memberPaths(member, [...path, name])
  )
  const items = schema.items ? memberPaths(schema.items, [...path, '0']) : []
  const branches = (schema.anyOf ?? []).flatMap((branch) => memberPaths(branch, path).slice(1))
  return [...here, ...own, ...items, ...branches]
}

/** Returns a copy of a body with another value at a path. Missing parents are created. */
export function withValue(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value
  if (name === '0') {
    const list = Array.isArray(body) ? body : []
    return [withValue(list[0], rest, value), ...list.slice(1)]
  }
  const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  const inner = (members as Record<string, unknown>)[name]
  return { ...members, [name]: withValue(inner, rest, value) }
}

const LEAKS =
  /node_modules|\.(?:ts|js):\d+|at (?:async )?[\w.]+ \(|SQLITE_[A-Z]+|\bER_[A-Z]+_|is not a function|Cannot (?:read|convert|set)|undefined is not|syntax error at|\b(?:[Ii]nsert into|[Uu]pdate|[Dd]elete from|[Ss]elect .{1,200} from) [`"]?zw_/

/** Returns the fault of a response to an odd request; undefined for none. */
export function faultOfAnswer(status: number, text: string, ms: number): string | undefined {
  if (status >= 500 && ![501, 502, 503].includes(status)) return `status ${status}`
  const leak = status >= 400 ? LEAKS.exec(text)?.[0] : undefined
  if (leak) return `leaks "${leak}"`
  return ms > 3000 ? `took ${Math.round(ms)} ms` : undefined
}
