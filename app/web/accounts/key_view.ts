import type { ShownKey } from '#accounts/keys/list'
import { KEY_OPERATIONS } from '#accounts/keys/options'
import type { apiKeyItem } from '#transformers/accounts/api_key'
import type { TranslatedText } from '#web/bulk/plans'

type Item = ReturnType<typeof apiKeyItem>

/** Names that a sentence lists. */
const MAX_LISTED_NAMES = 4

/** Returns the restrictions of a key as sentences; empty for a key without restrictions. */
export function restrictionsOf(key: Item): TranslatedText[] {
  const texts: TranslatedText[] = []
  if (key.read_only) {
    texts.push({ key: 'keys.reads_only' })
  } else if (key.operations.length > 0) {
    const operations = KEY_OPERATIONS.filter((one) => key.operations.includes(one))
    texts.push({ key: 'keys.only_operations', data: { operations: operations.join(', ') } })
  }
  if (key.zone_restricted) {
    texts.push(
      listText(
        'zones',
        key.zones.map(({ name }) => name)
      )
    )
  }
  if (key.pattern_restricted) {
    const patterns = key.patterns.map(({ name, types }) =>
      types.length > 0 ? `${name} (${types.join(', ')})` : name
    )
    texts.push(listText('names', patterns))
  }
  if (key.networks.length > 0) {
    texts.push(listText('networks', key.networks))
  }
  if (key.idle_days !== null) {
    texts.push({ key: 'keys.only_idle', data: { days: key.idle_days } })
  }
  return texts
}

/** A key as the pages show it. */
export function keyView(key: ShownKey, item: Item) {
  return { ...item, restrictions: restrictionsOf(item), trouble: key.problem }
}

function listText(what: string, names: readonly string[]): TranslatedText {
  if (names.length === 0) {
    return { key: `keys.no_${what}_left` }
  }
  const more = names.length - MAX_LISTED_NAMES
  const text = names.slice(0, MAX_LISTED_NAMES).join(', ')
  return { key: `keys.only_${what}`, data: { names: more > 0 ? `${text}, …` : text, more } }
}
