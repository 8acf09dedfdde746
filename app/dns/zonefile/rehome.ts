import { isWithin } from '#dns/names'
import { recordType } from '#dns/records/registry'
import { FileFault } from '#dns/zonefile/reading/faults'
import { changeNames } from '#dns/zonefile/name_fields'
import { wordsOf } from '#dns/zonefile/reading/scan'
import type { RRset } from '#dns/types'

/**
 * Moves an RRset to the same relative name in another zone: its name, and names within the zone in its contents. Text and
 * contents that cannot be parsed stay unchanged.
 *
 * @param from apex of the current zone
 * @param to   apex of the other zone
 */
export function rehomed(rrset: RRset, from: string, to: string): RRset {
  const moved = (name: string) => movedName(name, from, to)
  return {
    ...rrset,
    name: moved(rrset.name),
    records: rrset.records.map(({ content, priority, disabled }) => ({
      content: movedContent(rrset.type, content, moved),
      priority,
      disabled,
    })),
  }
}

/** Moves a name within one zone to another zone; other names stay unchanged. */
export function movedName(name: string, from: string, to: string): string {
  return isWithin(name, from) ? `${name.slice(0, name.length - from.length)}${to}` : name
}

/** Returns a canonical content with its names changed. */
export function movedContent(
  type: string,
  content: string,
  moved: (name: string) => string
): string {
  try {
    const words = wordsOf(content)
    // Indexes of names include the priority, which contents do not have.
    const hasPriority = recordType(type)?.priority === true
    if (hasPriority) words.unshift('0')
    const before = words.join(' ')
    changeNames(type, words, moved)
    const isChanged = words.join(' ') !== before
    return isChanged ? words.slice(hasPriority ? 1 : 0).join(' ') : content
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    return content
  }
}
