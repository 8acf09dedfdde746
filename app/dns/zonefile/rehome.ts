import { isWithin } from '#dns/names'
import { recordType } from '#dns/records/registry'
import { FileFault } from '#dns/zonefile/reading/faults'
import { changeNames } from '#dns/zonefile/name_fields'
import { wordsOf } from '#dns/zonefile/reading/scan'
import type { RRset } from '#dns/types'

/**
 * An RRset of one zone as it is at the same place of another one: its name, and names within the zone that its contents
 * have. Text is left alone, and so are contents that cannot be taken apart.
 *
 * @param from apex of the zone
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

/** A name within one zone at the same place of another one; any other name as it is. */
export function movedName(name: string, from: string, to: string): string {
  return isWithin(name, from) ? `${name.slice(0, name.length - from.length)}${to}` : name
}

/** A canonical content with its names changed. */
export function movedContent(
  type: string,
  content: string,
  moved: (name: string) => string
): string {
  try {
    const words = wordsOf(content)
    // Places of names count the priority, which contents do not have.
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
