import type { RRset, RRsetChange } from '#dns/types'

/** How the answers of a name change: it begins to answer, ends, or answers something else. */
export interface Effect {
  name: string
  type: string
  kind: 'appears' | 'disappears' | 'changes' | 'retimed'
  /** In words. */
  message: string
}

/** Types that are told by what they are for. */
const SENTENCES: Record<string, (name: string, what: string) => string> = {
  A: (name, what) => `${name} ${what} on IPv4`,
  AAAA: (name, what) => `${name} ${what} on IPv6`,
}

/**
 * Which names answer something else after the changes, one effect for each RRset. Disabled records answer nothing: what
 * changes about them alone has no effect.
 *
 * @param apex name of the zone
 */
export function effectsOf(apex: string, changes: RRsetChange[]): Effect[] {
  return changes.flatMap((change) => {
    const { name, type } = change
    const [before, after] = [served(change.before), served(change.after)]
    const kind = kindOf(before, after)
    return kind === null ? [] : [{ name, type, kind, message: sentence(apex, change, kind) }]
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

function sentence(apex: string, { name, type, before, after }: RRsetChange, kind: Effect['kind']) {
  const [was, is] = [contentsOf(served(before)), contentsOf(served(after))]
  const place = name.startsWith('*.') ? `every name below ${name.slice(2)} without records` : name
  if (kind === 'retimed') {
    return `${place} ${type} is kept for ${after?.ttl} seconds instead of ${before?.ttl}`
  }
  if (type === 'NS' && name !== apex) {
    const verb = { appears: 'is delegated to', changes: 'is delegated to', disappears: '' }[kind]
    return verb
      ? `${place} and all names below it ${verb.replace('is', 'are')} ${listed(is)}`
      : `${place} and all names below it are no longer delegated`
  }
  if (type === 'MX') {
    const to = is.map((content) => content.replace(/^\d+ /, ''))
    return kind === 'disappears'
      ? `${place} has no mail server any more`
      : `mail for ${place} goes to ${listed(to)}`
  }
  if (type === 'CNAME') {
    return kind === 'disappears'
      ? `${place} is no alias any more`
      : `${place} is an alias of ${listed(is)}`
  }
  const say = SENTENCES[type] ?? ((who: string, what: string) => `${who} ${what} for ${type}`)
  if (kind === 'appears') {
    return `${say(place, 'begins to answer')}: ${listed(is)}`
  }
  if (kind === 'disappears') {
    return say(place, 'stops answering')
  }
  const [old, now] = [new Set(was), new Set(is)]
  const [gone, come] = [was.filter((it) => !now.has(it)), is.filter((it) => !old.has(it))]
  const parts = [
    come.length > 0 ? `also ${listed(come)}` : '',
    gone.length > 0 ? `not ${listed(gone)}` : '',
  ]
  const text =
    come.length > 0 && gone.length > 0
      ? `${listed(is)} instead of ${listed(was)}`
      : parts.filter(Boolean).join(', ')
  return `${say(place, 'answers')}: ${text}`
}

/** Values that a sentence names; a set may have thousands. */
const MOST_NAMED = 5
/** Characters of one value. */
const LONGEST = 100

function listed(values: string[]): string {
  const named = values
    .slice(0, MOST_NAMED)
    .map((value) => (value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value))
  const more = values.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The records that are answered. */
function served(set: RRset | null): RRset | null {
  const records = set?.records.filter(({ disabled }) => !disabled) ?? []
  return set && records.length > 0 ? { ...set, records } : null
}

function contentsOf(set: RRset | null): string[] {
  return (set?.records ?? [])
    .map(({ content, priority }) => (priority > 0 ? `${priority} ${content}` : content))
    .sort()
}
