import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import db from '@adonisjs/lucid/services/db'
import type { CommentText } from '#dns/types'
import type { JournalEntry } from '#tests/support/faults/zone_history'

/** Comments by owner name, type and hash of the record. */
type CommentsByKey = Map<string, CommentText>

/**
 * Returns contradictions between the comments in the journal of a zone and the stored comments. Requires a zone that was
 * created without comments.
 */
export async function commentContradictions(
  zoneId: number,
  entries: JournalEntry[]
): Promise<string[]> {
  const problems: string[] = []
  const journaled: CommentsByKey = new Map()
  entries.forEach(({ entry, zoneName, changes, zoneBefore, zoneAfter }, index) => {
    // Records have the zone name of their time.
    const apex = entries[index - 1]?.zoneName ?? zoneName
    for (const { name, type, comments } of changes) {
      for (const { before, after, ...record } of comments) {
        const key = commentKey(apex, { name, type, ...record })
        const known = journaled.get(key) ?? null
        if (!isDeepStrictEqual(before, known)) {
          const words = [known, before].map((comment) => JSON.stringify(comment))
          problems.push(`entry ${entry}: of ${key} was said ${words[0]}, not ${words[1]}`)
        }
        if (after) journaled.set(key, after)
        else journaled.delete(key)
      }
    }
    if (zoneBefore && !zoneAfter) journaled.clear()
  })
  const stored = await storedComments(zoneId)
  for (const key of new Set([...journaled.keys(), ...stored.keys()])) {
    const words = [journaled, stored].map((comments) => JSON.stringify(comments.get(key) ?? null))
    if (words[0] !== words[1]) {
      problems.push(`of ${key} the journal says ${words[0]}, kept is ${words[1]}`)
    }
  }
  return problems
}

async function storedComments(zoneId: number): Promise<CommentsByKey> {
  const rows: Record<'owner' | 'type' | 'record_hash' | 'above' | 'inline', string>[] = await db
    .from('zw_record_comments')
    .where('zone_id', zoneId)
  return new Map(
    rows.map(({ owner, type, record_hash: hash, above, inline }) => [
      `${owner} ${type} ${hash}`,
      { above: JSON.parse(above), inline },
    ])
  )
}

interface CommentedRecord {
  name: string
  type: string
  content: string
  priority: number
}

/** Key of a stored comment. The serial of an SOA record is not part of the key. */
function commentKey(apex: string, { name, type, content, priority }: CommentedRecord): string {
  const owner = name === apex ? '@' : name.slice(0, -apex.length - 1)
  const text = type === 'SOA' ? content.split(' ').with(2, '0').join(' ') : content
  const hash = createHash('sha256').update(`${priority} ${text}`).digest('hex')
  return `${owner} ${type} ${hash}`
}
