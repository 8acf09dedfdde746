import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import db from '@adonisjs/lucid/services/db'
import type { CommentText } from '#dns/types'
import type { JournalEntry } from '#tests/support/faults/zone_history'

/** By owner name, type and hash of the record. */
type Notes = Map<string, CommentText>

/**
 * Everything in which what the journal of a zone says of comments contradicts itself, or what is kept. Of zones that were made
 * without any.
 */
export async function commentContradictions(
  zoneId: number,
  entries: JournalEntry[]
): Promise<string[]> {
  const problems: string[] = []
  const said: Notes = new Map()
  entries.forEach(({ entry, zoneName, changes, zoneBefore, zoneAfter }, index) => {
    // Names stand under the name that the zone had.
    const apex = entries[index - 1]?.zoneName ?? zoneName
    for (const { name, type, comments } of changes) {
      for (const { before, after, ...record } of comments) {
        const place = commentKey(apex, { name, type, ...record })
        const known = said.get(place) ?? null
        if (!isDeepStrictEqual(before, known)) {
          const words = [known, before].map((comment) => JSON.stringify(comment))
          problems.push(`entry ${entry}: of ${place} was said ${words[0]}, not ${words[1]}`)
        }
        if (after) said.set(place, after)
        else said.delete(place)
      }
    }
    if (zoneBefore && !zoneAfter) said.clear()
  })
  const kept = await storedComments(zoneId)
  for (const place of new Set([...said.keys(), ...kept.keys()])) {
    const words = [said, kept].map((comments) => JSON.stringify(comments.get(place) ?? null))
    if (words[0] !== words[1]) {
      problems.push(`of ${place} the journal says ${words[0]}, kept is ${words[1]}`)
    }
  }
  return problems
}

async function storedComments(zoneId: number): Promise<Notes> {
  const rows: Record<'owner' | 'type' | 'record_hash' | 'above' | 'trailing', string>[] = await db
    .from('zw_record_comments')
    .where('zone_id', zoneId)
  return new Map(
    rows.map(({ owner, type, record_hash: hash, above, trailing }) => [
      `${owner} ${type} ${hash}`,
      { above: JSON.parse(above), trailing },
    ])
  )
}

interface CommentedRecord {
  name: string
  type: string
  content: string
  priority: number
}

/** Where a comment is kept; the serial of an SOA record is no part of that. */
function commentKey(apex: string, { name, type, content, priority }: CommentedRecord): string {
  const owner = name === apex ? '@' : name.slice(0, -apex.length - 1)
  const text = type === 'SOA' ? content.split(' ').with(2, '0').join(' ') : content
  const hash = createHash('sha256').update(`${priority} ${text}`).digest('hex')
  return `${owner} ${type} ${hash}`
}
