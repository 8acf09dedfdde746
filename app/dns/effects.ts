import { namedValues, type NamedValues } from '#dns/rdata/named_values'
import type { RRset, RRsetChange } from '#dns/types'

/** Kinds of changes of DNS answers. */
export const EFFECT_KINDS = [
  ...(['begins', 'ends', 'replaces', 'adds', 'drops', 'retimed'] as const),
  ...(['delegates', 'delegates_not', 'mail', 'mail_not', 'alias', 'alias_not'] as const),
] as const

/** A change of the answers of a name: new, removed or different answers. */
export interface Effect {
  name: string
  type: string
  kind: 'appears' | 'disappears' | 'changes' | 'retimed'
  /** Suffix of the translation key `plan.effect_*`. */
  messageKey: (typeof EFFECT_KINDS)[number]
  /**
   * Answered, added or removed values, depending on the sentence; `old` contains the replaced ones.
   */
  values?: NamedValues
  old?: NamedValues
  /** Seconds, for `retimed`. */
  ttl?: { before: number; after: number }
}

/**
 * Returns the effects on DNS answers, one per RRset. Changes of disabled records have none.
 * `effectText` returns the sentence.
 *
 * @param apex name of the zone
 */
export function effectsOf(apex: string, changes: RRsetChange[]): Effect[] {
  return changes.flatMap((change) => {
    const { name, type } = change
    const [before, after] = [servedPart(change.before), servedPart(change.after)]
    const kind = kindOf(before, after)
    return kind === null
      ? []
      : [{ name, type, kind, ...describe(apex, kind, change, before, after) }]
  })
}

function kindOf(before: RRset | null, after: RRset | null): Effect['kind'] | null {
  if (!before || !after) {
    return before ? 'disappears' : after ? 'appears' : null
  }
  const isSame = contentsOf(before).join('\n') === contentsOf(after).join('\n')
  if (!isSame) {
    return 'changes'
  }
  return before.ttl === after.ttl ? null : 'retimed'
}

function describe(
  apex: string,
  kind: Effect['kind'],
  { name, type }: RRsetChange,
  before: RRset | null,
  after: RRset | null
): Omit<Effect, 'name' | 'type' | 'kind'> {
  if (kind === 'retimed') {
    return { messageKey: 'retimed', ttl: { before: before?.ttl ?? 0, after: after?.ttl ?? 0 } }
  }
  const [oldValues, is] = [contentsOf(before), contentsOf(after)]
  const isGone = kind === 'disappears'
  if (type === 'NS' && name !== apex) {
    return isGone ? { messageKey: 'delegates_not' } : { messageKey: 'delegates', values: named(is) }
  }
  if (type === 'MX') {
    const servers = is.map((content) => content.replace(/^\d+ /, ''))
    return isGone ? { messageKey: 'mail_not' } : { messageKey: 'mail', values: named(servers) }
  }
  if (type === 'CNAME') {
    return isGone ? { messageKey: 'alias_not' } : { messageKey: 'alias', values: named(is) }
  }
  if (kind === 'appears') {
    return { messageKey: 'begins', values: named(is) }
  }
  return isGone ? { messageKey: 'ends' } : difference(oldValues, is)
}

function difference(
  oldValues: string[],
  is: string[]
): Pick<Effect, 'messageKey' | 'values' | 'old'> {
  const [old, newValues] = [new Set(oldValues), new Set(is)]
  const [removedValues, addedValues] = [
    oldValues.filter((it) => !newValues.has(it)),
    is.filter((it) => !old.has(it)),
  ]
  if (addedValues.length > 0 && removedValues.length > 0) {
    return { messageKey: 'replaces', values: named(is), old: named(oldValues) }
  }
  return addedValues.length > 0
    ? { messageKey: 'adds', values: named(addedValues) }
    : { messageKey: 'drops', values: named(removedValues) }
}

/** Maximum length of a value in a sentence. */
const MAX_VALUE_CHARACTERS = 100

const named = (values: string[]) => namedValues(values, MAX_VALUE_CHARACTERS)

/** Returns the enabled records. */
function servedPart(set: RRset | null): RRset | null {
  const records = set?.records.filter(({ disabled }) => !disabled) ?? []
  return set && records.length > 0 ? { ...set, records } : null
}

function contentsOf(set: RRset | null): string[] {
  return (set?.records ?? [])
    .map(({ content, priority }) => (priority > 0 ? `${priority} ${content}` : content))
    .sort()
}
